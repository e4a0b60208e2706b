import Type, { type Static } from 'typebox';
import { Closed, Nullable, Sha256 } from '#lib/core/schema.ts';
import { ThemeFactorsRequest } from './theme-factors.request.ts';

const Month = Type.String({
  pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
  description: 'Calendar month, YYYY-MM.',
  examples: ['2020-09'],
});

const ThemeKey = Type.String({
  minLength: 1,
  description: 'Key of a theme in the taxonomy.',
  examples: ['cloud_software'],
});

const SymbolKey = Type.String({
  minLength: 1,
  description: 'Key of an instrument in the market data.',
  examples: ['AAPL'],
});

/** The longest history that a request may name, in months. */
const MONTHS_MAX = 240;

const Monthly = (description: string) =>
  Type.Array(Nullable(Type.Number()), { maxItems: MONTHS_MAX, description });

const MaybeNumber = (description: string, bounds: { minimum?: number; maximum?: number } = {}) =>
  Nullable(Type.Number(bounds), description);

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/**
 * Key of the theme factor model, with its version. A code change that changes any bit of a result requires a
 * new version.
 */
export const MODEL_KEY = 'svc_theme_factor_ridge_v1';

export const FactorStatistics = Closed(
  {
    months: Count(
      'Number of months with an estimate of the factor. The other statistics are over these months.',
    ),
    mean: MaybeNumber('Mean monthly return, a fraction (0.01 is 1 %). Null if no month was estimated.'),
    volatility: MaybeNumber(
      'Standard deviation of the monthly returns (ddof 1), a fraction. Null with fewer than two months.',
      { minimum: 0 },
    ),
    t_stat: MaybeNumber(
      'mean / (volatility / sqrt(months)). Null when the standard error is 0 or undefined.',
    ),
    newey_west_lags: Count(
      'Lags of the Newey-West standard error, floor(4 (months / 100)^(2/9)), at least 2.',
    ),
    newey_west_t: MaybeNumber(
      'Mean divided by its Newey-West standard error (Bartlett weights, autocovariances divided by months). Null when that error is 0 or undefined.',
    ),
    annualized_mean: MaybeNumber('12 times the mean, a fraction per year.'),
    annualized_volatility: MaybeNumber('sqrt(12) times the volatility, a fraction per year.', { minimum: 0 }),
    cumulative_return: MaybeNumber('Compounded return over the months, a fraction.'),
    max_drawdown: MaybeNumber(
      'Largest fall of the compounded return from an earlier high, a fraction of 0 or below.',
      { maximum: 0 },
    ),
    hit_rate: MaybeNumber('Share of months with a return above 0, from 0 to 1.', {
      minimum: 0,
      maximum: 1,
    }),
  },
  { title: 'FactorStatistics', description: 'Statistics of the monthly factor returns.' },
);

export const ThemeFactor = Closed(
  {
    theme: ThemeKey,
    symbols: Count('Number of symbols of the universe with an exposure above 0.'),
    exposure_sum: Type.Number({
      minimum: 0,
      description: 'Sum of the exposures over the universe, in units of exposure.',
    }),
    effective_symbols: Type.Number({
      minimum: 0,
      description:
        '(sum x)^2 / sum x^2 over the universe: the effective number of symbols, as if all had equal exposures.',
    }),
    returns: Monthly(
      'Factor return of each month: return per unit of exposure, after the market intercept, a fraction. Null in a month that is not valid or in which the factor is not active.',
    ),
    stats: FactorStatistics,
    index_returns: Monthly(
      'Return of the theme index in each month: exposure-weighted mean of the raw returns of its observed symbols, a fraction. Null in a month that is not valid or has too few such symbols.',
    ),
    index_levels: Monthly(
      'Level of the theme index at each month end, 100 at the base month. Null if the return is null; the next level continues from the last known level.',
    ),
  },
  {
    title: 'ThemeFactor',
    description:
      'A theme that is a factor of the model. The series have one element for each month of `months`.',
  },
);

export const MonthEstimate = Closed(
  {
    month: Month,
    symbols: Count('Number of symbols with an observed return in the month.'),
    factors: Count('Number of factors active in the month.'),
    winsor_low: Type.Number({
      description: '1 % quantile (type 7) of the returns: the lower clip bound, a fraction.',
    }),
    winsor_high: Type.Number({ description: '99 % quantile (type 7): the upper clip bound, a fraction.' }),
    clipped: Count('Number of returns beyond the bounds. They are clipped for the estimation only.'),
    market_return: Type.Number({ description: 'Mean of the raw returns, a fraction.' }),
    intercept: Type.Number({ description: 'Return of a symbol without exposures, a fraction.' }),
    r_squared: MaybeNumber(
      'Share of the variance of the clipped returns that the factors explain. Null when all clipped returns are equal.',
    ),
    effective_parameters: Type.Number({
      description:
        'Effective number of parameters under the penalty, between 1 and 1 plus the number of factors.',
    }),
  },
  { title: 'MonthEstimate', description: 'Cross-sectional regression of one month.' },
);

export const SpecificRisk = Closed(
  {
    symbol: SymbolKey,
    months: Count('Number of months with a specific return of the symbol.'),
    mean: Type.Number({ description: 'Mean specific return, a monthly fraction.' }),
    volatility: Type.Number({
      minimum: 0,
      description: 'Standard deviation of the specific returns (ddof 1), a monthly fraction.',
    }),
    ewma_volatility: Type.Number({
      minimum: 0,
      description:
        'Exponentially weighted volatility with a half-life of 12 calendar months, not demeaned, a monthly fraction.',
    }),
    shrinkage: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Weight of the universe mean in `shrunk_volatility`, from 0 to 1.',
    }),
    shrunk_volatility: Type.Number({
      minimum: 0,
      description: 'Volatility shrunk to the mean of the universe, a monthly fraction.',
    }),
    annualized_volatility: Type.Number({
      minimum: 0,
      description: 'sqrt(12) times the volatility, a fraction per year.',
    }),
  },
  {
    title: 'SpecificRisk',
    description:
      'Specific risk of one symbol over the window: the part of its returns that the factors do not explain.',
  },
);

export const ThemeFactorsResult = Closed(
  {
    model: Type.Literal(MODEL_KEY, { description: 'Model and version.' }),
    request: ThemeFactorsRequest,
    taxonomy: Closed(
      {
        version: Type.String({
          minLength: 1,
          description: 'Taxonomy version in force at the as-of date.',
          examples: ['2020.1'],
        }),
        published_at: Type.String({
          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T.*Z)?$',
          description: 'Publication date or instant of the taxonomy version, in UTC.',
        }),
        sha256: Sha256,
      },
      {
        description:
          'The taxonomy version used for the whole window. `sha256` is the hash of the sorted lines `theme,symbol,micro-exposure`.',
      },
    ),
    market_data: Closed(
      { first_month: Month, last_month: Month, sha256: Sha256 },
      {
        description:
          'The month-end prices of the universe, from the base month to the last month. `sha256` is the hash of the lines `symbol,month,date,price`, in the order of `symbols`, then by month.',
      },
    ),
    symbols: Type.Array(SymbolKey, {
      maxItems: 5_000,
      description: 'The symbols of the universe, in the order of UTF-16 code units.',
    }),
    factors: Type.Array(ThemeFactor, {
      maxItems: 60,
      description: 'The factors, in the order of the UTF-16 code units of their theme keys.',
    }),
    excluded_factors: Type.Array(ThemeKey, {
      description:
        'Themes of the taxonomy that are not factors, because they have too few symbols or exceed `max_factors`.',
    }),
    months: Type.Array(Nullable(MonthEstimate), {
      maxItems: MONTHS_MAX,
      description: 'One element for each month of the history, oldest first; null if the month is not valid.',
    }),
    specific_risk: Type.Array(SpecificRisk, {
      maxItems: 5_000,
      description:
        'Specific risks, in the order of the UTF-16 code units of the symbols. Symbols with fewer than 12 specific returns are absent.',
    }),
    factor_covariance: Type.Union(
      [Type.Array(Type.Array(Type.Number(), { maxItems: 60 }), { maxItems: 60 }), Type.Null()],
      {
        description:
          'Covariance of the monthly factor returns (ddof 1) over the months in which all factors exist, rows and columns in the order of `factors`. Null with fewer than two such months.',
      },
    ),
  },
  { title: 'ThemeFactorsResult', description: 'Result of the theme factor model. This part is sealed.' },
);

/**
 * Conditions of the run that a reader should know. They follow from the sealed input. The response contains these
 * conditions in addition to the sealed result.
 */
export const ThemeFactorsWarning = Type.Union(
  [
    Closed(
      {
        code: Type.Literal('few_observations', {
          description: 'A valid month has fewer symbols than usual.',
        }),
        month: Month,
        symbols: Count('Number of symbols observed in the month.'),
        minimum: Count('Number of symbols below which the month has a warning: max(2 x active factors, 30).'),
      },
      { title: 'FewObservations', description: 'A valid month with few symbols.' },
    ),
    Closed(
      {
        code: Type.Literal('month_invalid', {
          description: 'A month cannot be estimated. Its values are null.',
        }),
        month: Month,
        symbols: Count('Number of symbols observed in the month.'),
        minimum: Count('Number of symbols that the month needs.'),
        factors: Count(
          'Number of factors that could be active in the month. If the number is 0, the month cannot be estimated with any number of symbols.',
        ),
      },
      { title: 'MonthInvalid', description: 'A month without an estimate.' },
    ),
    Closed(
      {
        code: Type.Literal('factor_inactive', {
          description: 'A factor has no estimate in some valid months.',
        }),
        theme: ThemeKey,
        months: Count('Number of valid months without an estimate of the factor.'),
      },
      { title: 'FactorInactive', description: 'A factor without an estimate in some months.' },
    ),
    Closed(
      {
        code: Type.Literal('index_gaps', { description: 'A theme index has no level in some months.' }),
        theme: ThemeKey,
        months: Count('Number of months without a level.'),
      },
      { title: 'IndexGaps', description: 'A theme index with gaps.' },
    ),
    Closed(
      {
        code: Type.Literal('symbols_left_out', {
          description: 'Some symbols with an exposure are not in the universe.',
        }),
        history_short: Count('Number of symbols with too few observed returns.'),
        above_maximum: Count('Number of symbols beyond `max_symbols`.'),
      },
      { title: 'SymbolsLeftOut', description: 'Symbols that are not in the universe.' },
    ),
  ],
  { title: 'ThemeFactorsWarning', description: 'A condition that affects how to read the result.' },
);

export type FactorStatistics = Static<typeof FactorStatistics>;
export type ThemeFactor = Static<typeof ThemeFactor>;
export type MonthEstimate = Static<typeof MonthEstimate>;
export type SpecificRisk = Static<typeof SpecificRisk>;
export type ThemeFactorsResult = Static<typeof ThemeFactorsResult>;
export type ThemeFactorsWarning = Static<typeof ThemeFactorsWarning>;
