import Type, { type Static } from 'typebox';
import { Closed, Day, Minor, Nullable } from '#lib/core/schema.ts';
import { MINOR_MAX, proposalMembers, Signed, Symbol } from './harvest-members.schema.ts';
import { harvestWhy } from './harvest-proposal.ts';

/** The data from which the similarity of two securities is measured. */
export const distanceSources = ['factor_run', 'returns'] as const;

const DistanceFrom = Type.Enum([...distanceSources], {
  description:
    '`factor_run`: the theme factor run of the input, if it contains the securities. `returns`: their monthly returns.',
});

const Candidate = Closed(
  {
    replaces: { ...Symbol, description: 'The sold symbol.' },
    symbol: { ...Symbol, description: 'The symbol that can replace it.', examples: ['CVX'] },
    distance: Nullable(
      Type.Number({ minimum: 0, description: 'A variance.', examples: [0.00096] }),
      'Tracking variance: the variance of the difference between the monthly returns of the two securities, in fractions squared. Null if neither the factor run nor 12 common months of returns give it.',
    ),
    distance_from: Nullable(DistanceFrom, 'The source of `distance`; null without a distance.'),
    correlation_36m: Nullable(
      Type.Number({ minimum: -1, maximum: 1, description: 'A correlation.', examples: [0.83] }),
      'Correlation of the monthly returns in the 36 complete months before `as_of`; null with fewer than 3 common months, or if a return does not vary.',
    ),
    months: Type.Integer({
      minimum: 0,
      maximum: 36,
      description: 'Number of these months in which both securities have a return.',
      examples: [36],
    }),
    shared_themes: Type.Array(Type.String(), {
      description: 'Themes of the factor run that both securities are exposed to.',
    }),
  },
  {
    title: 'HarvestReplacement',
    description: 'A security that has a similar exposure but is not substantially identical.',
  },
);

/** The sealed proposal. */
export const TaxHarvestResult = Closed(
  {
    ...proposalMembers,
    why: Type.Record(
      Type.String(),
      Type.Enum([...harvestWhy], {
        description:
          '`gain`: the value is not below the tax basis. `below_minimum`: the loss or the net benefit is below a minimum. `washed`: a purchase would replace the shares. `no_price`: there is no close from the last 7 days. `price_currency`: the closes are in another currency than the lot.',
      }),
      {
        description: 'The reason for each lot that is not sold, or not sold completely, by lot.',
        examples: [{ 'income-004': 'gain' }],
      },
    ),
    lost_for_ever_minor: Minor(
      'Disallowed loss that is added to no tax basis, so that it is lost permanently.',
    ),
    recognised_short_minor: Signed(
      'Short-term gains that the proposed sales add, below 0 for losses. Disallowed losses are not counted.',
    ),
    recognised_long_minor: Signed(
      'Long-term gains that the proposed sales add, below 0 for losses. Disallowed losses are not counted.',
    ),
    saving_now_minor: Signed('Tax saved this year: `tax_before_minor` minus `tax_after_minor`.'),
    carried_short_minor: Minor('Short-term losses carried to later years.'),
    carried_long_minor: Minor('Long-term losses carried to later years.'),
    net_now_minor: Signed('`saving_now_minor` minus `cost_minor`.'),
    repurchase_not_before: Type.Record(
      Type.String(),
      Day('The first day on which the symbol can be bought without replacing sold shares.'),
      {
        description: 'The first possible day of a repurchase, by symbol.',
        examples: [{ XOM: '2020-10-31' }],
      },
    ),
    replacements: Type.Array(Candidate, {
      description: 'Securities that can replace the sold ones, by sold symbol and distance, smallest first.',
    }),
    tracking_error: Nullable(
      Type.Number({ minimum: 0, maximum: MINOR_MAX, description: 'A standard deviation, as a fraction.' }),
      'Monthly tracking error of the portfolio after the sales against the portfolio before the sales, a fraction. Each sold symbol is replaced by its first replacement with a distance, or by cash if there is none. Null if it cannot be measured.',
    ),
    tracking_error_from: Nullable(
      DistanceFrom,
      'The source of `tracking_error`; null without a tracking error.',
    ),
  },
  {
    title: 'TaxHarvestResult',
    description: 'The proposed sales and their tax effects. No order is placed. Amounts are in minor units.',
  },
);
export type TaxHarvestResult = Static<typeof TaxHarvestResult>;
