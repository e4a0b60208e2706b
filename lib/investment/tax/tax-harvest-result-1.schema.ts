import Type, { type Static } from 'typebox';
import { Closed, Day, Minor, Nullable } from '#lib/core/schema.ts';
import { Gains, Lot, MINOR_MAX, proposalMembers, Signed, Symbol } from './harvest-members.schema.ts';
import { harvestWhy } from './harvest-proposal.ts';

const Candidate = Closed(
  {
    symbol: Symbol,
    tracking_error: Type.Number({
      minimum: 0,
      description: 'Standard deviation of the monthly return difference from the sold symbol, a fraction.',
      examples: [0.031],
    }),
    correlation: Nullable(
      Type.Number({ description: 'Correlation of monthly returns.' }),
      'Correlation of monthly returns with the sold symbol; null with fewer than 3 common months.',
    ),
    months: Type.Integer({
      minimum: 0,
      description: 'Number of months in which both symbols have a return.',
    }),
    shared_themes: Type.Array(Type.String(), { description: 'Themes that both symbols are exposed to.' }),
  },
  {
    title: 'ReplacementCandidate',
    description: 'A security that has a similar exposure but is not substantially identical.',
  },
);

/** The result of tax harvests that were sealed by `svc_tax_harvest_us_v1`. */
export const TaxHarvestResult1 = Closed(
  {
    ...proposalMembers,
    not_sold: Type.Array(
      Closed({
        lot: Lot,
        reason: Type.Enum(
          harvestWhy.filter((each) => each !== 'price_currency'),
          { description: 'The reason.' },
        ),
      }),
      { description: 'Lots that are not sold, or not sold completely, with the reason.' },
    ),
    lost_minor: Minor('Disallowed loss that is added to no tax basis, so that it is lost permanently.'),
    recognised: Gains(
      'Gains that the proposed sales add, below 0 for losses. Disallowed losses are not counted.',
      -MINOR_MAX,
    ),
    carried_out: Gains('Losses carried to later years, 0 or above.', 0),
    saving_minor: Signed('`tax_before_minor` minus `tax_after_minor`.'),
    net_minor: Signed('`saving_minor` minus `cost_minor`.'),
    repurchase_not_before: Type.Array(
      Closed({
        symbol: Symbol,
        on: Day('The first day on which the symbol can be bought without replacing sold shares.'),
      }),
      { description: 'The first possible day of a repurchase, by symbol.' },
    ),
    replacements: Type.Array(
      Closed({
        symbol: Symbol,
        candidates: Type.Array(Candidate, {
          description: 'The candidates, ordered by tracking error, smallest first.',
        }),
      }),
      { description: 'Replacement candidates for each sold symbol that is in the theme factor run.' },
    ),
    tracking_error: Nullable(
      Type.Number({ minimum: 0, description: 'Standard deviation of monthly returns, as a fraction.' }),
      'Monthly tracking error of the portfolio after the sales against the portfolio before the sales, a fraction. Each sold symbol is replaced by its first candidate, or by cash if there is none. Null without a theme factor run.',
    ),
  },
  {
    title: 'TaxHarvestResult1',
    description:
      'The proposed sales and their tax effects, as version 1 of the model seals them. Amounts are in minor units.',
  },
);
export type TaxHarvestResult1 = Static<typeof TaxHarvestResult1>;
