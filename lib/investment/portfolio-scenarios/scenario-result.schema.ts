import Type, { type Static } from 'typebox';
import { Closed, IsoDate, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { SCENARIO_LIMITS } from './scenario-limits.ts';
import { ScenarioFactor } from './scenario-request.schema.ts';

const Minor = (description: string) =>
  Nullable(
    Type.Integer(),
    `${description} In minor units. Null if the amount is too large for a JSON integer.`,
  );
const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Level = Type.Number({
  minimum: 0.5,
  maximum: 0.9999,
  description: 'Confidence level.',
  examples: [0.95],
});
const P = Share('Probability.');
const SymbolKey = Type.String({ minLength: 1, description: 'Symbol of a position.', examples: ['KO'] });
const Positions = <T extends Parameters<typeof Type.Array>[0]>(item: T, description: string) =>
  Type.Array(item, { maxItems: SCENARIO_LIMITS.positions, description });

const statistics = {
  mean_minor: Minor('Mean profit.'),
  mean_error_minor: Minor('Standard error of the mean.'),
  standard_deviation_minor: Minor('Population standard deviation.'),
  minimum_minor: Minor('The lowest profit.'),
  maximum_minor: Minor('The highest profit.'),
  quantiles: Type.Array(
    Closed(
      {
        p: P,
        value_minor: Minor('Quantile (type 7).'),
        interval_minor: Type.Array(Nullable(Type.Integer()), {
          minItems: 2,
          maxItems: 2,
          description:
            '95 % confidence interval of the true quantile, from order statistics, in minor units.',
        }),
      },
      { description: 'A quantile.' },
    ),
    { maxItems: 7, description: 'Quantiles by probability.' },
  ),
  risk: Type.Array(
    Closed(
      {
        level: Level,
        value_at_risk_minor: Minor(
          'Value at risk: the loss that is not exceeded with the probability `level` (order statistic).',
        ),
        expected_shortfall_minor: Minor(
          'Expected shortfall: the mean of the worst share 1 - `level` of the losses (Rockafellar-Uryasev).',
        ),
      },
      { description: 'Losses at a confidence level.' },
    ),
    { maxItems: 4, description: 'Losses by confidence level.' },
  ),
};

const figures = {
  value_minor: Type.Integer({ description: 'Value at the as-of date, in minor units.' }),
  mean_minor: Minor(
    'Mean profit, rounded so that the positions sum to the rounded mean profit of the portfolio.',
  ),
  levels: Type.Array(
    Closed(
      {
        level: Level,
        value_at_risk_minor: Minor(
          'Contribution to the value at risk of the portfolio. All contributions sum to the total.',
        ),
        expected_shortfall_minor: Minor(
          'Contribution to the expected shortfall of the portfolio. All contributions sum to the total.',
        ),
      },
      { description: 'Contributions at a confidence level (Euler allocation).' },
    ),
    { maxItems: 4, description: 'Contributions by confidence level.' },
  ),
};

const Mapping = Type.Enum(['identity', 'beta', 'given', 'unmapped'], {
  description:
    'How the return of the position is computed from the factors. An `unmapped` position keeps its value.',
});

const MappedPosition = Closed(
  {
    symbol: SymbolKey,
    mapping: Mapping,
    why: Nullable(
      Type.Enum(['no_price', 'price_currency', 'no_factor', 'not_given', 'history_short', 'r2_below'], {
        description:
          'The reason why the position has no exposure. `price_currency`: its closes are in another currency than its lots.',
      }),
      'The reason why the position has no exposure. Null if the position has an exposure.',
    ),
    betas: Type.Array(
      Closed(
        { factor: ScenarioFactor, beta: Type.Number({ description: 'Exposure to the factor.' }) },
        { description: 'An exposure.' },
      ),
      { maxItems: 200, description: 'Exposures that are not 0, in the order of the factors.' },
    ),
    r_squared: Nullable(
      Share('R squared of the regression.'),
      'R squared of the regression. Null without a regression, or if the position did not vary.',
    ),
    months: Nullable(
      Count('Number of months in the regression.'),
      'Number of months in the regression. Null without a regression.',
    ),
    specific_volatility: Nullable(
      Type.Number({ minimum: 0, description: 'Standard deviation of the specific monthly log return.' }),
      'Standard deviation of the specific monthly log return. Null without an exposure.',
    ),
  },
  { title: 'MappedPosition', description: 'The exposure of a position.' },
);

const Drawdown = Closed(
  {
    mean: Type.Number({
      maximum: 0,
      description: 'Mean of the maximum drawdown, a fraction, 0 or below.',
      examples: [-0.08],
    }),
    standard_deviation: Type.Number({ minimum: 0, description: 'Population standard deviation.' }),
    quantiles: Type.Array(
      Closed(
        { p: P, value: Type.Number({ description: 'Quantile (type 7).' }) },
        { description: 'A quantile.' },
      ),
      {
        maxItems: 7,
        description: 'Quantiles by probability.',
      },
    ),
    deepest: Type.Number({
      maximum: 0,
      description: 'The deepest drawdown of all paths, a fraction.',
      examples: [-0.4],
    }),
  },
  { description: 'Maximum drawdown of the value over the months of a path, a fraction.' },
);

export const PortfolioScenarioResult = Closed(
  {
    portfolio: Type.String({ minLength: 1, description: 'Uid of the portfolio.' }),
    as_of: { ...IsoDate, description: 'Date of the positions and of their prices.' },
    scenario_run: Type.String({ minLength: 1, description: 'Uid of the run whose samples were applied.' }),
    currency: Nullable(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'Currency of the amounts.', examples: ['USD'] }),
      'Currency of the amounts. Null for an empty portfolio.',
    ),
    value_minor: Minor('Value of positions and cash.'),
    samples: Count('Number of samples or paths.'),
    horizon: Nullable(
      Count('Number of months of a path.'),
      'Number of months of a path. Null if the samples cover one month.',
    ),
    total: Closed(statistics, {
      title: 'ProfitStatistics',
      description: 'Profit and loss of the portfolio; for paths, at the end of the last month.',
    }),
    positions: Positions(
      Closed(
        { symbol: SymbolKey, mapping: Mapping, ...figures },
        { description: 'A position with an exposure.' },
      ),
      'Figures by position, ordered by symbol (UTF-16 code units).',
    ),
    factors: Type.Optional(
      Type.Array(
        Closed(
          {
            factor: Nullable(ScenarioFactor, 'The factor. Null for the specific returns of the positions.'),
            levels: figures.levels,
          },
          { title: 'FactorContribution', description: 'The contributions of a factor.' },
        ),
        {
          maxItems: 201,
          description:
            'Figures by factor, and then those of the specific returns. The profit of a position is divided in proportion to the log returns that the factors and the specific return cause. Absent with `by_factor: false`.',
        },
      ),
    ),
    groups: Nullable(
      Positions(
        Closed(
          {
            group: Nullable(
              Type.String({ description: 'Sector or theme.' }),
              'Sector or theme. Null for positions that belong to none.',
            ),
            ...figures,
          },
          { description: 'The sums over the positions of a group.' },
        ),
        'Figures by group.',
      ),
      'Figures by group. Null without `groups`.',
    ),
    worst: Type.Array(
      Closed(
        {
          sample: Count('Number of the sample, from 0.'),
          profit_minor: Minor('Profit in the sample.'),
          factors: Type.Array(
            Closed(
              {
                factor: ScenarioFactor,
                log_return: Type.Number({
                  description: 'Log return of the factor; for paths, over all months.',
                }),
              },
              { description: 'The return of a factor in the sample.' },
            ),
            { description: 'The returns of the factors in the sample.' },
          ),
        },
        { description: 'One of the worst samples.' },
      ),
      { maxItems: 100, description: 'The worst samples, the lowest profit first.' },
    ),
    mapped: Positions(
      MappedPosition,
      'The exposure of every position, ordered by symbol (UTF-16 code units).',
    ),
    mapping: Type.Array(
      Closed(
        {
          mapping: Mapping,
          positions: Count('Number of positions.'),
          value_share: Share('Share of the gross value.'),
        },
        { description: 'The positions with the same kind of mapping.' },
      ),
      { maxItems: 4, description: 'Share of the gross value by kind of mapping.' },
    ),
    months: Nullable(
      Type.Array(
        Closed(
          { month: Type.Integer({ minimum: 1, description: 'Month of the path, from 1.' }), ...statistics },
          { description: 'Profit and loss up to the end of a month.' },
        ),
        { maxItems: 120, description: 'Figures by month.' },
      ),
      'Figures by month. Null if the samples cover one month.',
    ),
    maximum_drawdown: Nullable(
      Drawdown,
      'Maximum drawdown of the value. Null if the samples cover one month, or if the value is not above 0.',
    ),
    hashes: Closed(
      {
        consumed_run_hash: Sha256Of('`run_hash` of the run whose samples were applied.'),
        samples_hash: Sha256Of('Hash of the samples of the run.'),
        profits_hash: Sha256Of('Hash of the profits: little-endian doubles, sample by sample.'),
        statistics_hash: Sha256Of('Hash of the figures.'),
        run_hash: Sha256Of('Hash of the four other hashes and the recipe version.'),
      },
      { description: 'Hashes that prove that the run is reproducible.' },
    ),
  },
  {
    title: 'PortfolioScenarioResult',
    description: 'Profit and loss of a portfolio over the samples of a scenario run.',
  },
);
export type PortfolioScenarioResult = Static<typeof PortfolioScenarioResult>;
