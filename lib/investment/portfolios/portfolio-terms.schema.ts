import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { accountKinds, lotReliefs } from './portfolio-event.ts';
import { taxRegimes } from './portfolio-row.ts';

/** Maximum number of related portfolios whose terms a run seals. */
export const GROUP_MAX = 200;

/** A key of at most 64 characters. */
export const Key = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: [example] });

/** The terms on which the lots of a portfolio depend, as a run seals them. */
export const PortfolioTermsSchema = Closed(
  {
    portfolio: Key('The key of the portfolio.', 'income'),
    base_currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['USD'] }),
    account_kind: Type.Enum([...accountKinds], { description: 'Whether gains of the account are taxed.' }),
    lot_relief: Type.Enum([...lotReliefs], {
      description: 'The order in which a sale uses lots, if the sale names no lots.',
    }),
    tax_regime: Type.Enum(taxRegimes, { description: 'The tax rules of the account.' }),
    tax_entity: Key('The taxpayer. Portfolios of one taxpayer share gains and losses.', 'household'),
    wash_group: Key(
      'The key that related portfolios share. A purchase in one of them can defer a loss in another.',
      'household',
    ),
  },
  { title: 'PortfolioTerms', description: 'The terms of a portfolio that determine its tax lots.' },
);
