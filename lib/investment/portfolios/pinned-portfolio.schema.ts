import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Sha256Of, Uid } from '#lib/core/schema.ts';
import { PortfolioTermsSchema } from './portfolio-terms.schema.ts';

/** The most related portfolios whose terms a run seals. */
export const GROUP_MAX = 200;

const Terms = Closed(
  { uid: Uid(prefixes.portfolio, 'The portfolio.'), ...PortfolioTermsSchema.properties },
  { title: 'PinnedTerms', description: 'The terms of a portfolio when the run was requested.' },
);

/** Members of the input of a run about a portfolio. They pin the events and the terms that a replay reads again. */
export const pinnedPortfolio = {
  portfolio_uid: Uid(prefixes.portfolio, 'The portfolio.'),
  portfolio: PortfolioTermsSchema.properties.portfolio,
  group: Type.Array(Terms, {
    minItems: 1,
    maxItems: GROUP_MAX,
    description: 'The portfolio and those of its taxpayer and wash group, by key.',
  }),
  recorded_until: InstantOf('The time of recording of the last event that the run may read.'),
  events_sha256: Sha256Of('SHA-256 of the events of the group, one line each, by portfolio and reference.'),
};
const PinnedPortfolio = Closed(pinnedPortfolio);
export type PinnedPortfolio = Static<typeof PinnedPortfolio>;
