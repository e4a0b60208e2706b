import Type from 'typebox';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import {
  Amount,
  ByLevel,
  Count,
  FACTORS_MAX,
  Level,
  Maybe,
  Numbers,
  POSITIONS_MAX,
  Share,
  Symbols,
} from './risk-members.schema.ts';
import { SymbolKey } from './risk-request.schema.ts';

const Contributions = Closed(
  {
    total: Amount('Value of the measure for the portfolio: the sum of the components.'),
    marginal: Numbers('Derivative of the measure with respect to the weight.'),
    component: Numbers('Weight times `marginal`.'),
    percent: Nullable(
      Numbers('Each component as a share of the total.'),
      'Each component as a share of the total. Null if the total is 0.',
    ),
  },
  {
    title: 'RiskContributions',
    description: 'A risk measure allocated to the positions (Euler allocation).',
  },
);

export const Components = Closed(
  {
    symbols: Symbols('Symbols of the positions with a price history, in the order of UTF-16 code units.'),
    weights: Numbers(
      'Weights: the value of each position as a share of the value of the cash and of all positions with a price history.',
    ),
    volatility: Nullable(Contributions, 'Annual volatility. Null if the returns do not vary.'),
    levels: ByLevel(
      Closed(
        {
          level: Level,
          var_historical_type7: Nullable(
            Contributions,
            'Historical value at risk. Contributions are the losses in the one or two periods that determine the quantile.',
          ),
          var_gaussian: Nullable(
            Contributions,
            'Value at risk under a normal distribution. Null if the returns do not vary.',
          ),
          es_rockafellar_uryasev: Nullable(
            Contributions,
            'Expected shortfall. Contributions are the mean losses in the periods of the tail.',
          ),
        },
        { description: 'Contributions at a confidence level.' },
      ),
      'Contributions to the tail measures, by level.',
    ),
  },
  { title: 'RiskComponents', description: 'Contributions of the positions to the risk.' },
);

export const Liquidity = Closed(
  {
    days_max: Maybe(
      'Number of trading sessions to sell the slowest position. Null if no position has enough volume data.',
    ),
    sold_within: Type.Array(
      Closed(
        {
          sessions: Count('Number of sessions.'),
          value_share: Nullable(
            Share('Share of the gross value that is sold within these sessions.'),
            'Share of the gross value that is sold within these sessions. Null if the gross value is 0.',
          ),
        },
        { description: 'The part of the portfolio that is sold within a number of sessions.' },
      ),
      {
        maxItems: 3,
        description:
          'Progress of a sale of all positions. The same quantity of a position is sold in each session.',
      },
    ),
    without_volume: Symbols(
      'Symbols with fewer than 11 daily volumes in the last 21 sessions, or with a median volume of 0.',
    ),
    positions: Type.Array(
      Closed(
        {
          symbol: SymbolKey,
          days: Maybe('Number of sessions to sell the position. Null without enough volume data.'),
        },
        { description: 'A position.' },
      ),
      {
        maxItems: POSITIONS_MAX,
        description:
          'Number of sessions for each position, in the order of the UTF-16 code units of the symbols.',
      },
    ),
  },
  {
    title: 'RiskLiquidity',
    description:
      'Number of trading sessions to sell the positions, at 20 % of the median daily volume of the last 21 sessions.',
  },
);

const Part = Closed(
  {
    variance_monthly: Amount('Monthly variance.'),
    share: Maybe('Share of the total variance. Null if the total variance is 0.'),
  },
  { description: 'A part of the variance.' },
);

export const Factors = Closed(
  {
    run: Type.String({
      minLength: 1,
      description: 'Uid of the sealed theme factor run.',
      examples: ['tfr_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
    }),
    result_hash: Sha256Of('Hash of the result of the theme factor run.'),
    variance_monthly: Amount('Total monthly variance: systematic plus specific variance.'),
    volatility: Type.Number({
      minimum: 0,
      description: 'Annual volatility from the factor model, a fraction.',
    }),
    systematic: Part,
    specific: Part,
    factors: Type.Array(
      Closed(
        {
          factor: Type.String({ minLength: 1, description: 'The factor: `market`, or the key of a theme.' }),
          exposure: Amount('Exposure of the portfolio to the factor.'),
          component: Amount('Contribution of the factor to the systematic monthly variance.'),
          percent: Maybe('Share of the total variance. Null if the total variance is 0.'),
        },
        { description: 'A factor.' },
      ),
      { maxItems: FACTORS_MAX, description: 'The factors: first the market, then the themes of the run.' },
    ),
    coverage: Closed(
      {
        value_share: Nullable(
          Share('Share of the gross value that the model covers.'),
          'Share of the gross value that the model covers. Null without positions.',
        ),
        symbols_missing: Symbols('Positions that the model does not cover.'),
      },
      { description: 'The part of the portfolio that the theme factor run covers.' },
    ),
  },
  { title: 'RiskFactors', description: 'Risk from the factor model of the latest sealed theme factor run.' },
);

const Ratio = Closed(
  { statistic: Amount('Likelihood ratio.'), p: Share('p-value from the chi-square distribution.') },
  { title: 'LikelihoodRatio', description: 'A likelihood ratio test.' },
);

export const Backtest = Closed(
  {
    level: Level,
    measure: Type.Literal('historical_type7', {
      description: 'The tested measure: always `historical_type7`.',
    }),
    periods: Count(
      'Number of tested periods. Each period is compared with the value at risk from the window before the period.',
    ),
    exceptions: Count('Number of periods with a loss above the value at risk.'),
    expected: Amount('Expected number of exceptions: `periods` times (1 - `level`).'),
    kupiec: Ratio,
    christoffersen_independence: Ratio,
    christoffersen_conditional_coverage: Ratio,
    basel_zone: Nullable(
      Type.Enum(['green', 'yellow', 'red'], { description: 'Zone of the Basel framework.' }),
      'Zone of the Basel framework. Null at levels other than .99.',
    ),
  },
  { title: 'RiskBacktest', description: 'Out-of-sample test of a value at risk.' },
);
