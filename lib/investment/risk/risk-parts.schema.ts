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
    total: Amount('The measure of the portfolio. The components sum to it.'),
    marginal: Numbers('Change of the measure for one unit more of weight.'),
    component: Numbers('Weight times marginal.'),
    percent: Nullable(
      Numbers('Component as a share of the total.'),
      'Shares of the total. Null if the total is 0.',
    ),
  },
  { title: 'RiskContributions', description: 'A measure divided among the positions (Euler).' },
);

export const Components = Closed(
  {
    symbols: Symbols('Positions with a price history, in code-unit order.'),
    weights: Numbers('Weight: value as a share of the value with a history.'),
    volatility: Nullable(Contributions, 'Annual volatility. Null if the returns do not vary.'),
    levels: ByLevel(
      Closed(
        {
          level: Level,
          var_historical_type7: Nullable(
            Contributions,
            'Historical value at risk, from the one or two periods that it is interpolated from.',
          ),
          var_gaussian: Nullable(
            Contributions,
            'Value at risk of a normal law. Null if the returns do not vary.',
          ),
          es_rockafellar_uryasev: Nullable(
            Contributions,
            'Expected shortfall, from the periods of the tail.',
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
    days_max: Maybe('Sessions that the slowest position takes. Null if no position has enough volume.'),
    sold_within: Type.Array(
      Closed(
        {
          sessions: Count('Number of sessions.'),
          value_share: Nullable(
            Share('Share of the gross value that is sold within them.'),
            'Share of the gross value that is sold within them. Null without value.',
          ),
        },
        { description: 'Progress of a sale.' },
      ),
      { maxItems: 3, description: 'Progress of a sale of everything, each position evenly.' },
    ),
    without_volume: Symbols(
      'Positions with fewer than 11 volumes in the last 21 sessions, or a median of 0.',
    ),
    positions: Type.Array(
      Closed(
        { symbol: SymbolKey, days: Maybe('Sessions to sell the position. Null without enough volume.') },
        { description: 'A position.' },
      ),
      { maxItems: POSITIONS_MAX, description: 'Sessions by position, in code-unit order of the symbols.' },
    ),
  },
  { title: 'RiskLiquidity', description: 'Sessions to sell at 20 % of the 21-day median volume.' },
);

const Part = Closed(
  {
    variance_monthly: Amount('Monthly variance.'),
    share: Maybe('Share of the whole variance. Null if that is 0.'),
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
    result_hash: Sha256Of('Hash of the result of that run.'),
    variance_monthly: Amount('Monthly variance: systematic and specific.'),
    volatility: Type.Number({ minimum: 0, description: 'Annual volatility by the factor model.' }),
    systematic: Part,
    specific: Part,
    factors: Type.Array(
      Closed(
        {
          factor: Type.String({ minLength: 1, description: '`market`, or the key of a theme.' }),
          exposure: Amount('Exposure of the portfolio.'),
          component: Amount('Part of the systematic monthly variance.'),
          percent: Maybe('Share of the whole variance. Null if that is 0.'),
        },
        { description: 'A factor.' },
      ),
      { maxItems: FACTORS_MAX, description: 'The market, then the themes of the run.' },
    ),
    coverage: Closed(
      {
        value_share: Nullable(
          Share('Share of the gross value that the model covers.'),
          'Share of the gross value that the model covers. Null without positions.',
        ),
        symbols_missing: Symbols('Positions that the model does not cover.'),
      },
      { description: 'How much of the portfolio the theme factor run covers.' },
    ),
  },
  { title: 'RiskFactors', description: 'Risk by the latest sealed theme factor run.' },
);

const Ratio = Closed(
  { statistic: Amount('Likelihood ratio.'), p: Share('p-value by the chi-square law.') },
  { title: 'LikelihoodRatio', description: 'A likelihood ratio test.' },
);

export const Backtest = Closed(
  {
    level: Level,
    measure: Type.Literal('historical_type7', { description: 'The value at risk that is tested.' }),
    periods: Count('Number of periods tested, each against the window before it.'),
    exceptions: Count('Periods with a loss above the value at risk.'),
    expected: Amount('Exceptions that the level lets expect.'),
    kupiec: Ratio,
    christoffersen_independence: Ratio,
    christoffersen_conditional_coverage: Ratio,
    basel_zone: Nullable(
      Type.Enum(['green', 'yellow', 'red'], { description: 'Zone of the Basel framework.' }),
      'Zone of the Basel framework. Null at levels other than .99.',
    ),
  },
  { title: 'RiskBacktest', description: 'Test of a value at risk on returns that it did not see.' },
);
