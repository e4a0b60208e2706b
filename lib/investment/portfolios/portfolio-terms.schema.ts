import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { regimes } from '../tax/regime.ts';
import { accountKinds, lotReliefs } from './portfolio-event.ts';

const Key = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: [example] });

/** The terms of a portfolio in the sealed input of a run. */
export const PortfolioTermsSchema = Closed(
  {
    portfolio: Key('The key of the portfolio.', 'income'),
    base_currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['USD'] }),
    account_kind: Type.Enum([...accountKinds], { description: 'Whether gains of the account are taxed.' }),
    lot_relief: Type.Enum([...lotReliefs], { description: 'The order in which sales use lots.' }),
    tax_regime: Type.Enum(Object.keys(regimes) as (keyof typeof regimes)[], {
      description: 'The tax rules of the account.',
    }),
    tax_entity: Key('The taxpayer.', 'household'),
    wash_group: Key('Portfolios whose purchases can defer a loss of one another.', 'household'),
  },
  { title: 'PortfolioTerms', description: 'The terms of a portfolio that its lots depend on.' },
);
