import Type, { type TSchema } from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { Closed, IsoDate, Nullable } from '#lib/core/schema.ts';
import { blockReasons } from '#lib/investment/company/block.ts';
import { companyBlockNames, companyBlocks } from '#lib/investment/company/blocks.query.ts';
import { readCompany } from '#lib/investment/company/company.query.ts';
import { checkedAsOf } from '../as-of.ts';
import { defineOperation } from '../services.ts';

const symbol = (description: string) => Type.String({ maxLength: 100, description, examples: ['AAPL'] });

const Reason = Type.Enum([...blockReasons], {
  title: 'CompanyBlockReason',
  description:
    '`not_entitled`: the workspace is not entitled to the scope or to such a dataset. `insufficient_scope`: the ' +
    'credential lacks the scope that reads the data elsewhere. `never_observed`: nothing was known by then. ' +
    '`stale`: the newest observation is too old.',
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
    current_symbol: symbol('The symbol of the company on the day. It differs for a former symbol.'),
    as_of: Type.String({ ...IsoDate, description: 'The day whose knowledge counts, to its end (UTC).' }),
    ...blocks,
    reasons: Closed(Object.fromEntries(companyBlockNames.map((name) => [name, Type.Optional(Reason)])), {
      description: 'Why a block is null, by block. Empty if no block is.',
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
  summary: 'Returns what was known of a listed company by the end of a day, block by block.',
  description:
    'Each block names its dataset, when it became known, and its age. A block without data is null, with a reason. ' +
    'Blocks need the scopes that read their data elsewhere: `data:reference:read` (identity), `data:market:read` ' +
    '(price, actions), `data:fundamentals:read` and `quant:features:read`. A former symbol returns the company under ' +
    '`current_symbol`. The answer is 404 if the symbol was not known by then. Nothing is forecast or filled in.',
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
  async handle({ services, caller, params, query, fail }) {
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
    const { currentSymbol, reasons, ...page } =
      found ?? fail('not_found', 'No company with this symbol was known by then.');
    return {
      status: 200,
      body: { symbol: params.symbol, current_symbol: currentSymbol, as_of: day, ...page.blocks, reasons },
    };
  },
});
