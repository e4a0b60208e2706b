import Type, { type TSchema } from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { Closed, IsoDate, Nullable } from '#lib/core/schema.ts';
import { blockReasons } from '#lib/investment/company/block.ts';
import { companyBlockNames, companyBlocks } from '#lib/investment/company/blocks.query.ts';
import { readCompany } from '#lib/investment/company/company.query.ts';
import { checkedAsOf } from '../as-of.ts';
import { Problem } from '#lib/core/problem.ts';
import { computeInThread } from '../compute.ts';
import { defineOperation } from '../services.ts';

const symbol = (description: string) => Type.String({ maxLength: 100, description, examples: ['AAPL'] });

const Reason = Type.Enum([...blockReasons], {
  title: 'CompanyBlockReason',
  description:
    'Why the block is null. `not_entitled`: the workspace is not entitled to the scope of the block, or to any dataset of its kind. `insufficient_scope`: the credential lacks the scope of the block. `never_observed`: no data was known by the end of the day. `stale`: the newest observation is too old. `too_large`: the block needs more data than one read may use; read each portfolio separately instead. `too_many_waiting`: too many computations are already waiting; try again later.',
});

const blocks: Record<string, TSchema> = Object.fromEntries(
  companyBlockNames.map((name) => {
    const { schema } = companyBlocks[name];
    const { description } = schema as { description?: string };
    return [name, Nullable(schema, `${description} Null with a reason in \`reasons\`.`)];
  }),
);

const Company = Closed(
  {
    symbol: symbol('The requested symbol.'),
    current_symbol: symbol(
      'The symbol of the company on the requested day. It differs from `symbol` if the requested symbol is a former symbol.',
    ),
    as_of: Type.String({
      ...IsoDate,
      description: 'The day of the answer. Only data known by the end of this day (UTC) is used.',
    }),
    ...blocks,
    reasons: Closed(Object.fromEntries(companyBlockNames.map((name) => [name, Type.Optional(Reason)])), {
      description: 'The reasons why blocks are null, by block. Empty if no block is null.',
    }),
  },
  { title: 'Company', description: 'A listed company as it was known on a day.' },
);

export const getCompany = defineOperation({
  key: 'investment.companies.get',
  product: 'Investment analytics',
  method: 'GET',
  path: '/investment/companies/{symbol}',
  scope: 'investment:read',
  summary: 'Returns the data about a listed company that was known at the end of a day, in blocks.',
  description:
    'Each block states its dataset, the time at which its newest data became known, and its age. A block without data is null, and `reasons` has the reason. Some blocks need a further scope: `data:reference:read` (identity), `data:market:read` (price, actions), `data:fundamentals:read` (fundamentals) or `quant:features:read` (features). The block `holders` lists the positions of the portfolios of this workspace and environment. If the requested symbol is a former symbol, `current_symbol` has the symbol on the requested day. The answer is 404 if the symbol was not known by the end of the day. Missing data is never estimated.',
  query: Closed({
    as_of: Type.Optional(
      Type.String({
        ...IsoDate,
        description: 'Returns only data known by the end of this day (UTC), not after today. Default: today.',
      }),
    ),
  }),
  success: { status: 200, description: 'The company.', schema: Company },
  problems: ['not_found'],
  async handle({ services, caller, params, query, signal, fail }) {
    const day = checkedAsOf(query.as_of, services.clock) ?? utcDate(services.clock.now());
    const found = await services.query(readCompany, {
      workspace: caller.workspace,
      symbol: params.symbol,
      day,
      lacking(scope) {
        if (caller.scopes.has(scope)) return undefined;
        return caller.entitlements.has(scope) ? 'insufficient_scope' : 'not_entitled';
      },
    });
    const page = found ?? fail('not_found', 'No company with this symbol was known by the end of the day.');
    const { currentSymbol, reasons, blocks: known, pending } = page;
    for (const { name, file, input } of pending) {
      const outcome = await computeInThread<unknown, Record<string, unknown>>(file, input, {
        workspace: caller.workspace,
        signal,
      }).catch(reasonOf);
      if (typeof outcome === 'string') reasons[name] = outcome;
      else known[name] = outcome;
    }
    return {
      status: 200,
      body: { symbol: params.symbol, current_symbol: currentSymbol, as_of: day, ...known, reasons },
    };
  },
});

/** The reason why a block was not computed. The other blocks of the page are complete. */
function reasonOf(error: unknown): 'too_large' | 'too_many_waiting' {
  if (error instanceof Problem && (error.code === 'too_large' || error.code === 'too_many_waiting'))
    return error.code;
  throw error;
}
