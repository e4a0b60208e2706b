import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { Problem } from '#lib/core/problem.ts';
import { Day, Closed, PageSchema, pageQuery, Sha256 } from '#lib/core/schema.ts';
import { groupRefusals } from '#lib/investment/portfolios/portfolio.query.ts';
import { taxLotsInput } from '#lib/investment/portfolios/tax-lots.query.ts';
import type { TaxLotsInput, TaxLotsPage, TaxLotsWanted } from '#lib/investment/portfolios/tax-lots.ts';
import { asOfQuery, checkedAsOf } from '../../as-of.ts';
import { computeInThread } from '../../compute.ts';
import { nextLink } from '../../http/page.ts';
import { defineFile } from '../../services.ts';
import { OtherCurrencies } from './portfolio.schema.ts';
import { TaxLotSchema, TaxLotTotal } from './tax-lot.schema.ts';

const file = new URL('../../../lib/investment/portfolios/tax-lots.ts', import.meta.url);
const CSV = 'text/csv';
const LINES = 'application/x-ndjson';
const types = { json: 'application/json', csv: CSV, ndjson: LINES } as const;

const TaxLotPage = Closed(
  {
    as_of: Day('The day of the answer.'),
    content_hash: Type.String({
      ...Sha256,
      description: 'SHA-256 of the RFC 8785 form of all rows that match the filters.',
    }),
    totals: Type.Array(TaxLotTotal, { description: 'Sums of the open lots that match the filters.' }),
    stale_prices: Type.Array(Type.String(), {
      description: 'Symbols whose last close is older than 7 days. Their lots have no value.',
    }),
    other_currency: OtherCurrencies,
    data: Type.Array(TaxLotSchema, {
      description: 'The tax lots, ordered by symbol, date of purchase and lot.',
    }),
    page: PageSchema,
  },
  { title: 'TaxLotPage', description: 'A page of tax lots.' },
);

export const listTaxLots = defineFile({
  key: 'investment.portfolios.tax_lots.list',
  product: 'Investment analytics',
  method: 'GET',
  path: '/investment/portfolios/{portfolio}/tax-lots',
  scope: 'investment:read',
  summary: 'Lists the tax lots of a portfolio, by symbol and date of purchase.',
  description:
    'Lots are derived from the events that were known by the end of `as_of`, with the wash sales of all portfolios of the wash group. `{portfolio}` is the uid or the key. If a sale used a part of a lot, the sold part and the rest are separate rows. A lot is valued at the last close, if the close is at most 7 days old. The answer has the format named in `format`, or otherwise in `Accept`. CSV and JSON lines have all rows, without pages.',
  query: Closed({
    ...pageQuery,
    ...asOfQuery,
    symbol: Type.Optional(
      Type.String({ minLength: 1, maxLength: 32, description: 'Returns only lots of this symbol.' }),
    ),
    term: Type.Optional(
      Type.Enum(['short', 'long'], { description: 'Returns only lots of this holding period.' }),
    ),
    state: Type.Optional(
      Type.Enum(['open', 'closed', 'all'], {
        default: 'open',
        examples: ['closed'],
        description: 'Whether to return open lots, sold lots and sold parts of lots (`closed`), or all.',
      }),
    ),
    format: Type.Optional(
      Type.Enum(['json', 'csv', 'ndjson'], { description: 'Response format. Overrides `Accept`.' }),
    ),
  }),
  success: { status: 200, description: 'A page of tax lots.', schema: TaxLotPage },
  files: {
    [CSV]: {
      description:
        'RFC 4180 with a header line and one line for each row. The members of `closed` are five columns.',
      example: 'lot,symbol,instrument_uid,currency,acquired_on\r\ngrowth-002,AAPL,,USD,2016-09-30\r\n',
    },
    [LINES]: {
      description: 'One JSON object for each row.',
      example: '{"lot":"growth-002","symbol":"AAPL"}\n',
    },
  },
  problems: [
    ...groupRefusals,
    'not_acceptable',
    'invalid_cursor',
    'portfolio_inconsistent',
    'too_many_waiting',
  ],
  async handle({ services, caller, params, query, signal, accepts, fail }) {
    const asOf = checkedAsOf(query.as_of, services.clock) ?? utcDate(services.clock.now());
    const form = query.format ? types[query.format] : accepts(Object.values(types));
    if (!form) return fail('not_acceptable', `Tax lots are available as ${Object.values(types).join(', ')}.`);
    const { symbol, term, state = 'open' } = query;
    const read = await services.query(taxLotsInput, params.portfolio, asOf);
    const list = `/investment/portfolios/${params.portfolio}/tax-lots`;
    const filters = {
      as_of: query.as_of ?? null,
      symbol: symbol ?? null,
      term: term ?? null,
      state: query.state ?? null,
      format: query.format ?? null,
    };
    const limit = query.limit ?? 50;
    const cursor =
      query.cursor === undefined ? undefined : services.cursors.read(list, filters, query.cursor);
    const start = cursor === undefined ? 0 : Number(cursor.split(' ')[1]);
    const wanted = form === CSV ? 'csv' : form === LINES ? 'ndjson' : { start, limit };
    const found = await computeInThread<TaxLotsInput & { wanted: TaxLotsWanted }, TaxLotsPage>(
      file,
      { ...read.input, symbol, term, state, wanted },
      { workspace: caller.workspace, signal },
    );
    if (found.state === 'inconsistent') return fail('portfolio_inconsistent', found.detail);
    if (found.text !== null) {
      const name = `${read.portfolio.key}-tax-lots-${asOf}.${wanted === 'csv' ? 'csv' : 'ndjson'}`;
      return { file: Buffer.from(found.text), type: form, name };
    }
    if (cursor !== undefined) requireSame(cursor, found);
    const { content_hash, totals, stale_prices, other_currency, lots: data, count } = found;
    const end = start + data.length;
    const next = end < count ? services.cursors.write(list, filters, `${content_hash} ${end}`) : null;
    const page = { limit, next_cursor: next, has_more: next !== null };
    return {
      status: 200,
      headers: { Vary: 'Accept', ...(next !== null && { Link: nextLink(list, filters, limit, next) }) },
      body: { as_of: asOf, content_hash, totals, stale_prices, other_currency, data, page },
    };
  },
});

/** Refuses a cursor if the rows of the list have changed since the previous page. */
function requireSame(cursor: string, { content_hash: hash }: { content_hash: string }): void {
  if (cursor.split(' ')[0] === hash) return;
  const errors = [
    { pointer: '/cursor', in: 'query', code: 'invalid_cursor', message: 'is out of date' } as const,
  ];
  throw new Problem(
    'invalid_cursor',
    'The tax lots have changed since the previous page. Start without a cursor.',
    { errors },
  );
}
