import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Sha256Of, Uid } from '#lib/core/schema.ts';
import { accountKinds, lotReliefs } from './portfolio-event.ts';

/** The most related portfolios whose terms a run seals. */
export const GROUP_MAX = 200;

const Key = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: [example] });

const Terms = Closed(
  {
    uid: Uid(prefixes.portfolio, 'The portfolio.'),
    portfolio: Key('Key of the portfolio.', 'growth'),
    base_currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['USD'] }),
    account_kind: Type.Enum([...accountKinds], { description: 'Whether gains of the account are taxed.' }),
    lot_relief: Type.Enum([...lotReliefs], { description: 'The order in which a sale uses lots.' }),
    tax_entity: Key('The taxpayer.', 'household'),
    wash_group: Key('Portfolios whose purchases can defer a loss of one another.', 'household'),
  },
  { title: 'PinnedTerms', description: 'The terms of a portfolio when the run was requested.' },
);

/** Members of the input of a run about a portfolio. They pin the events and the terms that a replay reads again. */
export const pinnedPortfolio = {
  portfolio_uid: Uid(prefixes.portfolio, 'The portfolio.'),
  portfolio: Key('Key of the portfolio.', 'growth'),
  group: Type.Array(Terms, {
    minItems: 1,
    maxItems: GROUP_MAX,
    description: 'The portfolio and those of its taxpayer and wash group, by key.',
  }),
  recorded_until: InstantOf('When the last event that counts was recorded. Later ones do not count.'),
  events_sha256: Sha256Of('SHA-256 of the events of the group, one line each, by portfolio and reference.'),
};
const PinnedPortfolio = Closed(pinnedPortfolio);
export type PinnedPortfolio = Static<typeof PinnedPortfolio>;
