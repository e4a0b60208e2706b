import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { GROUP_MAX, PortfolioTermsSchema } from './portfolio-terms.schema.ts';

const Terms = Closed(
  { uid: Uid(prefixes.portfolio, 'The portfolio.'), ...PortfolioTermsSchema.properties },
  { title: 'PinnedTerms', description: 'The terms of a portfolio as known by the end of the as-of date.' },
);

/**
 * Members of the input of a run about a portfolio. They determine the events and the terms that a replay
 * reads again.
 */
export const pinnedPortfolio = {
  portfolio_uid: Uid(prefixes.portfolio, 'The portfolio.'),
  portfolio: PortfolioTermsSchema.properties.portfolio,
  group: Type.Array(Terms, {
    minItems: 1,
    maxItems: GROUP_MAX,
    description: 'The portfolio and all portfolios of its taxpayer and its wash group, by key.',
  }),
  recorded_until: Nullable(
    InstantOf('The time of recording of the last event that the run may read.'),
    'The time of recording of the last event that the run may read; null without events.',
  ),
  price_currency: Type.Optional(
    Type.Literal('instrument', {
      description:
        'Whose currency a close has: that of its instrument or, if that is unknown, the base currency of the portfolio. A close in another currency than the lot gives no value. Left out by runs that were sealed before closes had a currency.',
    }),
  ),
  events_sha256: Sha256Of('SHA-256 of the events of the group, one line each, by portfolio and reference.'),
};
const PinnedPortfolio = Closed(pinnedPortfolio);
export type PinnedPortfolio = Static<typeof PinnedPortfolio>;

export const PinnedBenchmark = Closed(pinnedPortfolio, {
  title: 'PinnedBenchmark',
  description:
    'The portfolio that is the benchmark, with its group and its events. Absent if the benchmark is not a portfolio.',
});
