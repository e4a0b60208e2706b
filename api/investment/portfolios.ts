import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import { holdingsInput } from '#lib/investment/portfolios/holdings.query.ts';
import type { Holdings, HoldingsInput } from '#lib/investment/portfolios/holdings.ts';
import type { Portfolio } from '#lib/investment/portfolios/portfolio.entity.ts';
import { listPortfolios } from '#lib/investment/portfolios/portfolio.query.ts';
import { asOfQuery, checkedAsOf } from '../as-of.ts';
import { computeInThread } from '../compute.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { Currency, PortfolioDetail, PortfolioSummary } from './portfolios/portfolio.schema.ts';

const holdingsFile = new URL('../../lib/investment/portfolios/holdings.ts', import.meta.url);

export const listPortfoliosOperation = defineOperation({
  key: 'investment.portfolios.list',
  product: 'Investment analytics',
  method: 'GET',
  path: '/investment/portfolios',
  scope: 'investment:read',
  addition: true,
  summary: 'Lists the portfolios, newest first.',
  description: 'Operators import portfolios on the command line. Positions are in the single portfolio.',
  query: Closed({
    ...pageQuery,
    portfolio: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Returns only the portfolio with this key.' }),
    ),
    base_currency: Type.Optional(Currency),
  }),
  success: { status: 200, description: 'A page of portfolios.', schema: ListOf(PortfolioSummary) },
  problems: ['invalid_cursor'],
  handle: ({ services, query }) =>
    listReply(services, query, {
      list: '/investment/portfolios',
      filters: { portfolio: query.portfolio ?? null, base_currency: query.base_currency ?? null },
      rows: (em, page) =>
        listPortfolios(em, { ...page, key: query.portfolio, currency: query.base_currency }),
      present: presentTerms,
    }),
});

export const getPortfolio = defineOperation({
  key: 'investment.portfolios.get',
  product: 'Investment analytics',
  method: 'GET',
  path: '/investment/portfolios/{portfolio}',
  scope: 'investment:read',
  addition: true,
  summary: 'Reads a portfolio with its positions, cash and value.',
  description:
    'Positions and cash are derived from the events that were known by the end of `as_of`, and valued at the last ' +
    'close of at most 7 days. `{portfolio}` is the uid or the key. Amounts of different currencies are never added.',
  query: Closed(asOfQuery),
  success: { status: 200, description: 'The portfolio.', schema: PortfolioDetail },
  problems: ['not_found', 'portfolio_inconsistent', 'too_large', 'too_many_waiting'],
  async handle({ services, params, query, signal, fail }) {
    const asOf = checkedAsOf(query.as_of, services.clock) ?? utcDate(services.clock.now());
    const read = await services.query(holdingsInput, params.portfolio, asOf);
    if (read.state === 'unknown') return fail('not_found', 'There is no such portfolio.');
    if (read.state === 'too_large') return fail('too_large', read.detail);
    const held = await computeInThread<HoldingsInput, Holdings>(holdingsFile, read.input, signal);
    if (held.state === 'inconsistent') return fail('portfolio_inconsistent', held.detail);
    const { state: _, ...members } = held;
    return { status: 200, body: { ...presentTerms(read.portfolio), as_of: asOf, ...members } };
  },
});

function presentTerms(portfolio: Portfolio) {
  return {
    uid: portfolio.uid,
    portfolio: portfolio.key,
    name: portfolio.name,
    base_currency: portfolio.baseCurrency,
    account_kind: portfolio.accountKind,
    lot_relief: portfolio.lotRelief,
    tax_regime: portfolio.taxRegime,
    tax_entity: portfolio.taxEntity,
    wash_group: portfolio.washGroup,
    benchmark: portfolio.benchmark ?? null,
    opened_on: portfolio.openedOn,
    created_at: portfolio.createdAt.toISOString(),
  };
}
