import Type, { type Static } from 'typebox';
import { Closed, IsoDate, Line, Nullable } from '#lib/core/schema.ts';
import { ASSETS_MAX, BLOCK_MAX, GOALS_MAX, HORIZON } from './simulation-limits.ts';

const Minor = (description: string) =>
  Nullable(Type.Integer(), `${description} In minor units. Null beyond 2^53.`);
const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description, examples: [0.9] });
const Interval = Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
  minItems: 2,
  maxItems: 2,
  description: 'Interval that contains the probability with 95 % confidence (Wilson).',
  examples: [[0.894, 0.906]],
});
const chance = { probability: Share('Share of the paths.'), interval: Interval };
const MinorInterval = Type.Array(Nullable(Type.Integer()), {
  minItems: 2,
  maxItems: 2,
  description: 'Order statistics that contain the quantile with 95 % confidence, in minor units.',
});
const P = Share('Probability.');
const Month = (description: string) =>
  Type.Integer({ minimum: 1, maximum: HORIZON.max, description, examples: [12] });
const Resolution = Type.Number({
  minimum: 0,
  maximum: 0.001,
  examples: [0],
  description:
    'Largest relative error of quantiles, their intervals and tail means, because values are counted in buckets; 0 if the figures are exact.',
});
const minorQuantiles = Type.Array(
  Closed(
    { p: P, value_minor: Minor('Quantile (type 7).'), interval_minor: MinorInterval },
    { description: 'A quantile.' },
  ),
  { maxItems: 7, description: 'Quantiles by probability.' },
);
const Spread = (description: string) =>
  Closed(
    {
      mean: Type.Number({ minimum: 0, description: 'Mean over the paths.' }),
      mean_error: Type.Number({ minimum: 0, description: 'Standard error of the mean.' }),
      quantiles: Type.Array(
        Closed(
          {
            p: P,
            value: Type.Number({ minimum: 0, description: 'Quantile (type 7).' }),
            interval: Type.Array(Type.Number(), {
              minItems: 2,
              maxItems: 2,
              description: 'Order statistics that contain the quantile with 95 % confidence.',
            }),
          },
          { description: 'A quantile.' },
        ),
        { maxItems: 7, description: 'Quantiles by probability.' },
      ),
    },
    { description },
  );
const shortfall = {
  shortfall_minor: Minor('Mean shortfall of the paths that miss the goal; 0 if no path misses it.'),
  shortfall_error_minor: Minor('Standard error of `mean_minor`.'),
};

const Terminal = Closed(
  {
    mean_minor: Minor('Mean.'),
    mean_error_minor: Minor('Standard error of the mean.'),
    standard_deviation_minor: Minor('Population standard deviation.'),
    standard_deviation_error_minor: Minor('Standard error of the standard deviation.'),
    quantiles: minorQuantiles,
    tails: Type.Array(
      Closed(
        {
          level: Share('Confidence level.'),
          mean_minor: Minor('Mean of the worst 1 - level of the terminal wealths.'),
          mean_error_minor: Minor('Standard error of `mean_minor`.'),
        },
        { description: 'The worst paths at a confidence level.' },
      ),
      { maxItems: 2, description: 'The worst paths by confidence level.' },
    ),
    loss: Closed(chance, {
      description: 'Probability that the terminal wealth is below the initial wealth plus all flows.',
    }),
    quantile_resolution: Resolution,
  },
  { title: 'TerminalWealth', description: 'Wealth at the end of the last month.' },
);

export const SimulationResult = Closed(
  {
    history: Nullable(
      Closed(
        {
          months: Type.Integer({
            minimum: 1,
            description: 'Number of months with a return of every symbol.',
          }),
          first_month: { ...IsoDate, description: 'Month end of the first return.' },
          last_month: { ...IsoDate, description: 'Month end of the last return.' },
          block: Nullable(
            Type.Number({ minimum: 1, maximum: BLOCK_MAX, description: 'Length of a block in months.' }),
            'Length of a block in months, the mean length for `stationary`. Null for independent months.',
          ),
          estimated_block: Nullable(
            Type.Number({ minimum: 0, description: 'Length by Politis and White.' }),
            'Block length of Politis and White before bounds are applied. Null if the request gave the length.',
          ),
        },
        { description: 'The months that were drawn from.' },
      ),
      'The history that months were drawn from. Null for another source.',
    ),
    portfolio: Type.Optional(
      Closed(
        {
          currency: Nullable(
            Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['USD'] }),
            'Currency of the portfolio; null if it holds nothing.',
          ),
          value_minor: Minor('Value of the positions and the cash of the portfolio.'),
          weights: Type.Optional(
            Type.Array(Share('Weight of an asset.'), {
              maxItems: ASSETS_MAX,
              description: 'Weights of the assets. Absent if the portfolio is the only asset.',
            }),
          ),
        },
        { description: 'The portfolio that the request names. Absent if the request names no portfolio.' },
      ),
    ),
    inflation: Type.Optional(
      Closed(
        {
          annual: Type.Number({ description: 'Mean annual growth, a fraction.', examples: [0.0231] }),
          first: { ...IsoDate, description: 'Last day of the first period.' },
          last: { ...IsoDate, description: 'Last day of the last period.' },
        },
        { description: 'The growth of the index of prices. Absent if the request has a rate.' },
      ),
    ),
    terminal: Terminal,
    probabilities: Type.Array(P, {
      maxItems: 7,
      description: 'Probabilities of the quantiles of the fan.',
      examples: [[0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]],
    }),
    fan: Type.Array(
      Closed(
        {
          month: Month('Month, from 1.'),
          mean_minor: Minor('Mean.'),
          mean_error_minor: Minor('Standard error of the mean.'),
          quantiles_minor: Type.Array(Nullable(Type.Integer()), {
            maxItems: 7,
            description: 'Quantiles (type 7) at `probabilities`, in minor units.',
          }),
          intervals_minor: Type.Array(MinorInterval, {
            maxItems: 7,
            description: 'Intervals of the quantiles.',
          }),
        },
        { title: 'FanMonth', description: 'Wealth at the end of a month.' },
      ),
      {
        maxItems: 61,
        description: 'Wealth by month; with more than 61 months, 61 evenly spaced months.',
      },
    ),
    fan_resolution: Resolution,
    goals: Type.Array(
      Closed(
        {
          name: Line(80, 'Name of the goal.', 'Retirement'),
          at: Month('Month at whose end the wealth is compared.'),
          target_minor: Minor('Wealth to reach, in the prices of the month of the goal.'),
          ...chance,
          ...shortfall,
        },
        { title: 'GoalOutcome', description: 'A goal and the share of the paths that reach it.' },
      ),
      { maxItems: GOALS_MAX, description: 'Goals, in the order of the request.' },
    ),
    ruin: Closed(
      {
        ...chance,
        months: Type.Array(
          Closed(
            { month: Month('Month.'), ...chance },
            { description: 'Probability of ruin by the end of a month.' },
          ),
          {
            maxItems: HORIZON.max,
            description: 'Months in which paths are ruined, with the share ruined so far.',
          },
        ),
        ...shortfall,
      },
      {
        title: 'Ruin',
        description:
          'A path is ruined if it cannot pay a withdrawal in full or loses everything. Its shortfall is the sum of the withdrawals that it does not pay.',
      },
    ),
    drawdown: Closed(
      { ...Spread('').properties, quantile_resolution: Resolution },
      {
        title: 'SimulatedDrawdown',
        description:
          'Depth of the deepest drawdown of a path, a fraction from 0 to 1, without the effect of flows.',
      },
    ),
    time_under_water: Closed(
      {
        longest: Spread('Largest number of consecutive months below an earlier level.'),
        total: Spread('All months below an earlier level.'),
      },
      { description: 'Months of a path below an earlier level, without the effect of flows.' },
    ),
    withdrawal: Nullable(
      Closed(
        {
          solve: Share('Share of the paths that pay every withdrawal.'),
          amount_minor: Minor(
            'The largest monthly withdrawal, rounded down, in prices of the start if the withdrawal is indexed; 0 if the flows alone ruin too many paths.',
          ),
          interval_minor: MinorInterval,
          quantile_resolution: Resolution,
        },
        { title: 'SolvedWithdrawal', description: 'The largest monthly withdrawal.' },
      ),
      'The withdrawal that was solved for; null if none was.',
    ),
    closed_form: Nullable(
      Closed(
        {
          mean_minor: Minor('Expected terminal wealth.'),
          standard_deviation_minor: Minor('Standard deviation of the terminal wealth.'),
          quantiles: Nullable(
            Type.Array(Closed({ p: P, value_minor: Minor('Quantile.') }, { description: 'A quantile.' }), {
              maxItems: 7,
              description: 'Quantiles by probability.',
            }),
            'Quantiles by probability. Null if no closed form exists.',
          ),
          goals: Nullable(
            Type.Array(P, { maxItems: GOALS_MAX, description: 'Probabilities of the goals, in order.' }),
            'Probabilities of the goals, in order. Null if no closed form exists.',
          ),
        },
        { title: 'ClosedForm', description: 'Exact figures, for comparison with the simulated ones.' },
      ),
      'Exact figures, for comparison with the simulated ones. Null if the request has flows, if its weights are not reset every month, or if its source has no closed form.',
    ),
  },
  { title: 'SimulationResult', description: 'Distribution of the wealth over the paths.' },
);
export type SimulationResult = Static<typeof SimulationResult>;
