import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import { holdingsInput } from '#lib/investment/portfolios/holdings.query.ts';
import type { Holdings, HoldingsInput } from '#lib/investment/portfolios/holdings.ts';
import {
  groupRefusals,
  listPortfolios,
  type KnownPortfolio,
} from '#lib/investment/portfolios/portfolio.query.ts';
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
  description:
    'Operators import portfolios on the command line. Read a single portfolio to get its positions.',
  query: Closed({
    ...pageQuery,
    portfolio: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Returns only the portfolio with this key.' }),
    ),
    base_currency: Type.Optional({
      ...Currency,
      description: 'Returns only portfolios with this base currency, ISO 4217.',
    }),
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
  summary: 'Returns a portfolio with its positions, cash and value.',
  description:
    'The terms are those known by the end of `as_of`. Positions and cash are derived from the events that were known by then. A position is valued at the last close, if the close is at most 7 days old. `{portfolio}` is the uid or the key. Amounts of different currencies are never added.',
  query: Closed(asOfQuery),
  success: { status: 200, description: 'The portfolio.', schema: PortfolioDetail },
  problems: [...groupRefusals, 'portfolio_inconsistent', 'too_many_waiting'],
  async handle({ services, caller, params, query, signal, fail }) {
    const asOf = checkedAsOf(query.as_of, services.clock) ?? utcDate(services.clock.now());
    const read = await services.query(holdingsInput, params.portfolio, asOf);
    const held = await computeInThread<HoldingsInput, Holdings>(holdingsFile, read.input, {
      workspace: caller.workspace,
      signal,
    });
    if (held.state === 'inconsistent') return fail('portfolio_inconsistent', held.detail);
    const { state: _, ...members } = held;
    return {
      status: 200,
      body: {
        ...presentTerms(read.portfolio),
        terms_known_at: read.portfolio.termsKnownAt,
        as_of: asOf,
        ...members,
      },
    };
  },
});

function presentTerms(portfolio: Omit<KnownPortfolio, 'termsKnownAt'>) {
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
