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
import { PortfolioName, riskBases, SymbolKey } from './risk-request.schema.ts';

const conventions = {
  historical_order: Amount(
    'From the k lowest of n returns, k = floor((n - 1)(1 - level)) + 1. In `var`: minus the k-th lowest return. In `es`: minus the mean of the k lowest returns.',
  ),
  gaussian: Amount(
    'Value at risk under a normal distribution with the mean and the population standard deviation of the returns.',
  ),
  cornish_fisher: Maybe('Value at risk from the Cornish-Fisher quantile. Null if the returns do not vary.'),
};

const TailMeasures = Closed(
  {
    level: Level,
    var: Closed(
      {
        historical_type7: Amount('Minus the type 7 quantile of the returns at 1 - level.'),
        ...conventions,
        filtered_historical: Amount(
          'Type 7 quantile of returns that are rescaled to the forecast volatility (Hull and White 1998).',
        ),
      },
      {
        description:
          'Value at risk of one period by calculation method, as a fraction of the value. Losses are above 0.',
      },
    ),
    es: Closed(
      {
        historical_type7: Maybe(
          'Mean of the losses strictly beyond the type 7 quantile. Null if there are none.',
        ),
        ...conventions,
        filtered_historical: Amount(
          'Expected shortfall of Rockafellar and Uryasev, computed from the returns rescaled to the forecast volatility.',
        ),
        rockafellar_uryasev: Amount(
          'Mean loss over the worst share 1 - level of the probability (Rockafellar and Uryasev). This is the main measure; it is a coherent risk measure.',
        ),
      },
      {
        description:
          'Expected shortfall of one period by calculation method, as a fraction of the value. Losses are above 0.',
      },
    ),
    var_historical_type7_minor: MaybeMinor(
      '`var.historical_type7` as an amount, in minor units. Null if the amount is too large for a JSON integer.',
    ),
    es_rockafellar_uryasev_minor: MaybeMinor(
      '`es.rockafellar_uryasev` as an amount, in minor units. Null if the amount is too large for a JSON integer.',
    ),
  },
  { title: 'TailMeasures', description: 'Losses of one period at a confidence level.' },
);

export const Performance = Closed(
  {
    annual_return: Maybe(
      'Compound annual return, prod(1 + r)^(P / n) - 1, a fraction. Null if the compounded value falls below 0.',
    ),
    downside_deviation: Maybe(
      'Annual downside deviation, sqrt(mean(min(r, 0)^2)) sqrt(P), over all n returns.',
    ),
    sharpe: Maybe(
      'Annual Sharpe ratio, mean(r) / sd(r; ddof 1) sqrt(P), with a risk-free return of 0. Null if the returns do not vary.',
    ),
    probabilistic_sharpe: Maybe(
      'Probability that the true Sharpe ratio is above 0. Null if it is not defined.',
    ),
    sortino: Maybe('Annual Sortino ratio: mean return / downside deviation. Null if no return is negative.'),
    calmar: Maybe('Annual return / size of the maximum drawdown. Null without a drawdown.'),
    omega: Maybe(
      'Sum of the positive returns / absolute sum of the negative returns. Null if no return is negative.',
    ),
    gain_to_pain: Maybe(
      'Sum of all returns / absolute sum of the negative returns. Null if no return is negative.',
    ),
    hit_rate: Share('Share of returns above 0 among those that are not 0; 0 if all are 0.'),
    tail_ratio: Maybe(
      'Absolute 95 % quantile / absolute 5 % quantile of the returns (type 7). Null if the 5 % quantile is 0.',
    ),
    stability: Maybe(
      'R squared of the regression of the cumulative log returns on time; 0 if they do not vary. Null if a return is -1.',
    ),
    skewness: Maybe('Population skewness. Null if the returns do not vary.'),
    excess_kurtosis: Maybe('Population excess kurtosis. Null if the returns do not vary.'),
  },
  {
    title: 'RiskPerformance',
    description:
      'Performance over the window. r: the returns, n: their number, P: periods per year (252 or 12).',
  },
);

export const Drawdowns = Closed(
  {
    maximum: Type.Number({
      maximum: 0,
      description: 'Deepest drawdown, a fraction of 0 or below.',
      examples: [-0.24],
    }),
    ulcer_index: Amount('Ulcer index: square root of the mean squared drawdown over all n returns (Martin).'),
    pain_index: Amount('Pain index: mean absolute drawdown over all n returns.'),
    conditional_drawdown_95: Amount(
      'Mean of the largest 5 % of the absolute drawdowns (Rockafellar-Uryasev).',
    ),
    table: Type.Array(
      Closed(
        {
          depth: Type.Number({
            maximum: 0,
            description: 'Lowest value divided by the previous high, minus 1.',
            examples: [-0.24],
          }),
          from: DateOf('First date with a value below the previous high.'),
          trough: DateOf('Date of the lowest value.'),
          recovered: Nullable(
            DateOf('First date at which the previous high is reached again.'),
            'First date at which the previous high is reached again. Null if it is not reached.',
          ),
          periods: Count('Number of returns from the first date to the recovery, or to the end.'),
        },
        { description: 'A drawdown.' },
      ),
      { maxItems: 10, description: 'The ten deepest drawdowns, deepest first.' },
    ),
  },
  { title: 'RiskDrawdowns', description: 'Drawdowns of the compounded return from its previous high.' },
);

export const Benchmark = Closed(
  {
    symbol: Type.Optional({
      ...SymbolKey,
      description: 'Symbol of the benchmark; absent if the benchmark is a portfolio.',
    }),
    portfolio: Type.Optional({
      ...PortfolioName,
      description: 'Key of the benchmark portfolio, compared by its realised returns; absent for a symbol.',
    }),
    beta: Maybe('cov(r, b) / var(b). Null if the benchmark does not vary.'),
    tracking_error: Maybe('Annual tracking error, sd(r - b; ddof 1) sqrt(P).'),
    information_ratio: Maybe(
      'mean(r - b) / sd(r - b; ddof 1) sqrt(P). Null if the difference does not vary.',
    ),
    information_ratio_geometric: Maybe('Active premium / tracking error. Null if the tracking error is 0.'),
    active_premium: Maybe('Annual return of the portfolio minus the annual return of the benchmark.'),
    up_capture: Maybe(
      'Annual return of the portfolio / annual return of the benchmark, over the periods in which the benchmark rose. Null if it never rose.',
    ),
    down_capture: Maybe(
      'Annual return of the portfolio / annual return of the benchmark, over the periods in which the benchmark fell. Null if it never fell.',
    ),
  },
  {
    title: 'RiskBenchmark',
    description:
      'Comparison with the benchmark. r: the portfolio returns, b: the benchmark returns, P: periods per year.',
  },
);

const Concentration = Closed(
  {
    hhi: Share('Herfindahl-Hirschman index: sum of the squared shares of the gross value.'),
    effective: Type.Number({ minimum: 1, description: '1 / hhi: the effective number of positions.' }),
    top10: Share('Sum of the ten largest shares of the gross value.'),
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
        'The returns that the figures are computed from. `current_holdings`: past returns of the positions, with their weights on `as_of`. `realised`: time-weighted returns of the portfolio as it was held.',
    }),
    frequency: Type.Enum(Object.keys(FREQUENCIES) as Frequency[], { description: 'Period of a return.' }),
    window: Count('Requested number of returns.'),
    observations: Count('Number of returns that the figures are computed from.'),
    first_date: DateOf('Date of the first return in the window.'),
    last_date: DateOf('Date of the last return in the window.'),
    currency: Nullable(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'Currency of the amounts.', examples: ['USD'] }),
      'Currency of the amounts. Null for an empty portfolio.',
    ),
    value_minor: MaybeMinor(
      'Value of the positions and the cash, in minor units. Null if the value is too large for a JSON integer.',
    ),
    volatility: Type.Number({
      minimum: 0,
      description:
        'Annual volatility: the standard deviation (ddof 1) of the returns times the square root of the periods per year, a fraction.',
    }),
    ewma_volatility: Type.Number({
      minimum: 0,
      description: 'Annual exponentially weighted volatility with decay .94, not demeaned, a fraction.',
    }),
    tail: ByLevel(TailMeasures, 'Value at risk and expected shortfall by level.'),
    performance: Performance,
    drawdowns: Drawdowns,
    benchmark: Nullable(
      Benchmark,
      'Comparison with the benchmark. Null if there is no benchmark, or if the benchmark has no history over the window.',
    ),
    concentration: Nullable(Concentration, 'Concentration of the positions. Null without positions.'),
    components: Nullable(
      Components,
      'Contributions of the positions. Null if not requested, and with the basis `realised`.',
    ),
    liquidity: Nullable(Liquidity, 'Time to sell the positions. Null if not requested.'),
    factors: Nullable(
      Factors,
      'Factor risk. Null if not requested, or if there is no sealed theme factor run.',
    ),
    backtest: Nullable(
      ByLevel(Backtest, 'Tests by level.'),
      'Tests of the value at risk. Null if not requested, or if there are fewer than 50 returns before the window.',
    ),
    coverage: Closed(
      {
        value_share_without_history: Share(
          'Share of the gross value in positions without a price history. These positions are left out. The amounts assume that their returns equal those of the other positions. With the basis `realised`, this is the largest share, over all dates, of the positions whose last price is more than 5 rows old. Such positions keep their last price, or the price of their last trade.',
        ),
        symbols: Symbols('Positions without a price history.'),
        rows_filled: Count(
          `Number of missing prices that were filled with the previous price, or at the start with the first price; at most ${ROWS_FILLED_MAX} in a row.`,
        ),
        other_currency: Type.Optional(
          Type.Array(
            Closed(
              {
                symbol: SymbolKey,
                currency: Type.String({ description: 'Currency of the position.', examples: ['EUR'] }),
                price_currency: Type.String({ description: 'Currency of its closes.', examples: ['USD'] }),
              },
              { description: 'A position.' },
            ),
            {
              description:
                'Positions without a value, because their closes are in another currency. Absent if there are none.',
            },
          ),
        ),
      },
      { description: 'The part of the portfolio that the figures cover.' },
    ),
  },
  {
    title: 'RiskResult',
    description:
      'Risk of a portfolio. A measure with several calculation methods has one member for each method.',
  },
);
export type RiskResult = Static<typeof RiskResult>;

/** A row of the result of GET /investment/risk if the request names no portfolio. */
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
      'Share of the gross value in positions without a price history. Null if the portfolio is refused.',
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
      'Code of the refusal. Null if the portfolio is not refused.',
    ),
  },
  { title: 'RiskSummaryRow', description: 'Risk of one portfolio in a list.' },
);
export type RiskSummaryRow = Static<typeof RiskSummaryRow>;

/** The body of GET /investment/risk if the request names no portfolio. */
export const RiskSummary = Closed(
  {
    as_of: DateOf('Date of the positions.'),
    portfolios: Type.Array(RiskSummaryRow, {
      maxItems: SUMMARY_MAX,
      description: 'A row for each portfolio, newest first.',
    }),
  },
  { title: 'RiskSummary', description: 'A summary of the risk of each portfolio.' },
);
