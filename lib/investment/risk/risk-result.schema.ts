import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { FREQUENCIES, type Frequency, ROWS_FILLED_MAX, SUMMARY_MAX } from './risk-limits.ts';
import {
  Amount,
  ByLevel,
  Count,
  DateOf,
  Level,
  Maybe,
  MaybeMinor,
  Share,
  Symbols,
} from './risk-members.schema.ts';
import { Backtest, Components, Factors, Liquidity } from './risk-parts.schema.ts';
import { riskBases, SymbolKey } from './risk-request.schema.ts';

const conventions = {
  historical_order: Amount(
    'From the k lowest returns, k = floor((n - 1)(1 - level)) + 1: the k-th one, or their mean.',
  ),
  gaussian: Amount('Under a normal law with the mean and the population deviation of the returns.'),
  cornish_fisher: Maybe('With the Cornish-Fisher quantile. Null if the returns do not vary.'),
};

const TailMeasures = Closed(
  {
    level: Level,
    var: Closed(
      {
        historical_type7: Amount('Minus the type 7 quantile of the returns at 1 - level.'),
        ...conventions,
        filtered_historical: Amount(
          'Type 7, on returns rescaled to the expected volatility (Hull and White 1998).',
        ),
      },
      {
        description: 'Value at risk of one period by convention: a loss above 0, as a fraction of the value.',
      },
    ),
    es: Closed(
      {
        historical_type7: Maybe(
          'Mean loss strictly beyond the type 7 quantile. Null if no return is beyond it.',
        ),
        ...conventions,
        filtered_historical: Amount('Rockafellar-Uryasev, on the rescaled returns.'),
        rockafellar_uryasev: Amount(
          'Coherent: the mean of the worst 1 - level of the probability. The main measure.',
        ),
      },
      {
        description:
          'Expected shortfall of one period by convention: a loss above 0, as a fraction of the value.',
      },
    ),
    var_historical_type7_minor: MaybeMinor(
      '`var.historical_type7` as an amount, in minor units. Null beyond 2^53.',
    ),
    es_rockafellar_uryasev_minor: MaybeMinor(
      '`es.rockafellar_uryasev` as an amount, in minor units. Null beyond 2^53.',
    ),
  },
  { title: 'TailMeasures', description: 'Losses of one period at a confidence level.' },
);

const Performance = Closed(
  {
    annual_return: Maybe('prod(1 + r)^(P / n) - 1, a fraction a year. Null if the level falls below 0.'),
    downside_deviation: Maybe('sqrt(mean(min(r, 0)^2)) sqrt(P), over all n returns.'),
    sharpe: Maybe(
      'mean(r) / sd(r; ddof 1) sqrt(P), with a risk-free return of 0. Null if the returns do not vary.',
    ),
    probabilistic_sharpe: Maybe(
      'Probability that the true Sharpe ratio is above 0. Null where it is not defined.',
    ),
    sortino: Maybe('mean(r) / downside deviation, annual. Null if no return is negative.'),
    calmar: Maybe('Annual return / size of the maximum drawdown. Null without a drawdown.'),
    omega: Maybe('Sum of the gains / sum of the losses. Null if nothing is lost.'),
    gain_to_pain: Maybe('Sum of the returns / sum of the losses. Null if nothing is lost.'),
    hit_rate: Share('Share of returns above 0 among those that are not 0; 0 if all are 0.'),
    tail_ratio: Maybe('Size of the type 7 quantile at 95 % / size of that at 5 %. Null if the latter is 0.'),
    stability: Maybe(
      'R squared of the cumulated log returns on time; 0 if they do not vary. Null if a return is -1.',
    ),
    skewness: Maybe('Population skewness. Null if the returns do not vary.'),
    excess_kurtosis: Maybe('Population excess kurtosis. Null if the returns do not vary.'),
  },
  { title: 'RiskPerformance', description: 'Return and its distribution over the window.' },
);

const Drawdowns = Closed(
  {
    maximum: Type.Number({
      maximum: 0,
      description: 'Deepest drawdown, a fraction of 0 or below.',
      examples: [-0.24],
    }),
    ulcer_index: Amount('Root of the mean squared drawdown (Martin: divided by n).'),
    pain_index: Amount('Mean size of the drawdown.'),
    conditional_drawdown_95: Amount('Mean size of the worst 5 % of the drawdowns (Rockafellar-Uryasev).'),
    table: Type.Array(
      Closed(
        {
          depth: Type.Number({
            maximum: 0,
            description: 'Lowest level relative to the high before, minus 1.',
            examples: [-0.24],
          }),
          from: DateOf('First date below the high.'),
          trough: DateOf('Date of the lowest level.'),
          recovered: Nullable(
            DateOf('First date at the old high again.'),
            'First date at the old high again. Null if it is not reached.',
          ),
          periods: Count('Number of returns from the first date to the recovery, or to the end.'),
        },
        { description: 'A drawdown.' },
      ),
      { maxItems: 10, description: 'The ten deepest drawdowns, deepest first.' },
    ),
  },
  { title: 'RiskDrawdowns', description: 'Falls of the compounded return from its high.' },
);

const Benchmark = Closed(
  {
    symbol: SymbolKey,
    beta: Maybe('cov(r, b) / var(b). Null if the benchmark does not vary.'),
    tracking_error: Maybe('sd(r - b; ddof 1) sqrt(P).'),
    information_ratio: Maybe(
      'mean(r - b) / sd(r - b; ddof 1) sqrt(P). Null if the difference does not vary.',
    ),
    information_ratio_geometric: Maybe('Active premium / tracking error. Null if that is 0.'),
    active_premium: Maybe('Difference of the annual returns.'),
    up_capture: Maybe(
      'Annual return where the benchmark rose / that of the benchmark. Null if it never rose.',
    ),
    down_capture: Maybe(
      'Annual return where the benchmark fell / that of the benchmark. Null if it never fell.',
    ),
  },
  { title: 'RiskBenchmark', description: 'The portfolio against its benchmark.' },
);

const Concentration = Closed(
  {
    hhi: Share('Sum of the squared shares of the gross value.'),
    effective: Type.Number({ minimum: 1, description: '1 / hhi: the effective number of positions.' }),
    top10: Share('Sum of the ten largest shares.'),
  },
  { title: 'RiskConcentration', description: 'Concentration of the gross value of the positions.' },
);

/** The body of GET /investment/risk for one portfolio. */
export const RiskResult = Closed(
  {
    portfolio: Type.String({ minLength: 1, description: 'Uid of the portfolio.' }),
    as_of: DateOf('Date of the positions.'),
    basis: Type.Enum([...riskBases], {
      description:
        'The returns that the figures are computed from. `current_holdings`: returns of the positions at their weights on `as_of`.',
    }),
    frequency: Type.Enum(Object.keys(FREQUENCIES) as Frequency[], { description: 'Period of a return.' }),
    window: Count('Number of returns that was requested.'),
    observations: Count('Number of returns that the figures are computed from.'),
    first_date: DateOf('Date of the first of these returns.'),
    last_date: DateOf('Date of the last of these returns.'),
    currency: Nullable(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'Currency of the amounts.', examples: ['USD'] }),
      'Currency of the amounts. Null for an empty portfolio.',
    ),
    value_minor: MaybeMinor('Value of the positions and the cash, in minor units. Null beyond 2^53.'),
    volatility: Type.Number({ minimum: 0, description: 'sd (ddof 1) sqrt(P), a fraction a year.' }),
    ewma_volatility: Type.Number({
      minimum: 0,
      description: 'Exponentially weighted volatility with decay .94, not demeaned, a fraction a year.',
    }),
    tail: ByLevel(TailMeasures, 'Value at risk and expected shortfall by level.'),
    performance: Performance,
    drawdowns: Drawdowns,
    benchmark: Nullable(
      Benchmark,
      'Comparison with the benchmark. Null without one, and if it has no price history.',
    ),
    concentration: Nullable(Concentration, 'Concentration of the positions. Null without positions.'),
    components: Nullable(
      Components,
      'Contributions of the positions. Null unless included, and with the basis `realised`.',
    ),
    liquidity: Nullable(Liquidity, 'Time to sell. Null unless included.'),
    factors: Nullable(Factors, 'Factor risk. Null unless included, and without a sealed run.'),
    backtest: Nullable(
      ByLevel(Backtest, 'Tests by level.'),
      'Tests of the value at risk. Null unless included, and with fewer than 50 returns before the window.',
    ),
    coverage: Closed(
      {
        value_share_without_history: Share(
          'Share of the gross value without a price history. These positions are left out, and the amounts assume that they behave like the rest.',
        ),
        symbols: Symbols('Positions without a price history.'),
        rows_filled: Count(
          `Missing prices that were bridged by the price next to them, at most ${ROWS_FILLED_MAX} in a row.`,
        ),
      },
      { description: 'The part of the portfolio that the figures cover.' },
    ),
  },
  {
    title: 'RiskResult',
    description: 'Risk of a portfolio, every measure under the name of its convention.',
  },
);
export type RiskResult = Static<typeof RiskResult>;

/** A row of GET /investment/risk without a portfolio. */
export const RiskSummaryRow = Closed(
  {
    portfolio: Type.String({ minLength: 1, description: 'Uid of the portfolio.' }),
    as_of: DateOf('Date of the positions.'),
    currency: Nullable(
      Type.String({ pattern: '^[A-Z]{3}$', examples: ['USD'] }),
      'Currency of the amounts. Null for an empty or refused portfolio.',
    ),
    value_minor: MaybeMinor('Value in minor units. Null if the portfolio is refused.'),
    volatility: Maybe('Annual volatility. Null if the portfolio is refused.'),
    ewma_volatility: Maybe('Exponentially weighted annual volatility. Null if the portfolio is refused.'),
    tail: ByLevel(
      Closed(
        {
          level: Level,
          var_historical_type7: Amount('Historical value at risk of one period, a fraction of the value.'),
          es_rockafellar_uryasev: Amount('Expected shortfall of one period, a fraction of the value.'),
        },
        { description: 'Losses at a confidence level.' },
      ),
      'Losses by level. Empty if the portfolio is refused.',
    ),
    maximum_drawdown: Maybe('Deepest drawdown, a fraction of 0 or below. Null if the portfolio is refused.'),
    observations: Nullable(
      Count('Number of returns.'),
      'Number of returns. Null if the portfolio is refused.',
    ),
    value_share_without_history: Nullable(
      Share('Share of the gross value without a history.'),
      'Share of the gross value without a history. Null if the portfolio is refused.',
    ),
    why: Nullable(
      Type.Enum(
        [
          'too_large',
          'currencies_mixed',
          'market_history_insufficient',
          'not_identifiable',
          'portfolio_inconsistent',
        ],
        { description: 'Code of the refusal.' },
      ),
      'Code of the refusal. Null if the figures are there.',
    ),
  },
  { title: 'RiskSummaryRow', description: 'Risk of one portfolio in a list.' },
);
export type RiskSummaryRow = Static<typeof RiskSummaryRow>;

/** The body of GET /investment/risk without a portfolio. */
export const RiskSummary = Closed(
  {
    as_of: DateOf('Date of the positions.'),
    portfolios: Type.Array(RiskSummaryRow, {
      maxItems: SUMMARY_MAX,
      description: 'A row for each portfolio, newest first.',
    }),
  },
  { title: 'RiskSummary', description: 'Risk of each portfolio in short.' },
);
