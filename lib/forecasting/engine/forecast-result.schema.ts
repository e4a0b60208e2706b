import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { frequencies, type ForecastRefusal } from './forecast-series.types.ts';
import { HORIZON_MAX, LEVELS_MAX, OBSERVATIONS_MAX } from './limits.ts';

/** The model and its version. A change in a single bit of a result is another version. */
export const FORECAST_MODEL = 'svc_forecast_combination_v1';

const METHODS_MAX = 60;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const MaybeNumber = (description: string) => Nullable(Type.Number(), description);
const Steps = (description: string) => Type.Array(Type.Number(), { maxItems: HORIZON_MAX, description });
const MethodKey = Type.String({ minLength: 1, description: 'Key of a method.', examples: ['theta_box_cox'] });
const Level = Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 100, description: 'Per cent.' });
const Position = (description: string) =>
  Type.Integer({ minimum: 0, maximum: OBSERVATIONS_MAX, description: `${description}, 0 is the first.` });

export const ForecastInterval = Closed(
  {
    level: Level,
    lower: Steps('Lower bound of each period of the horizon.'),
    upper: Steps('Upper bound of each period of the horizon.'),
  },
  { title: 'ForecastInterval', description: 'Bounds between which the metric is expected at the level.' },
);

export const MethodForecast = Closed(
  {
    method: MethodKey,
    role: Type.Union(
      [
        Type.Literal('combined', { description: 'It has a weight in the result.' }),
        Type.Literal('dropped', { description: 'Its backtest error is hopeless beside the best.' }),
        Type.Literal('reference', { description: 'Shown beside the result; its prior weight is 0.' }),
        Type.Literal('failed', { description: 'It gave no finite forecast.' }),
      ],
      { description: 'What became of the method.' },
    ),
    form: Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
      {
        description: 'What was chosen once on the whole series, such as the orders of an ARIMA model.',
      },
    ),
    parameters: Type.Record(Type.String(), Type.Number(), {
      description: 'Estimated on the whole series, as prepared.',
    }),
    log_likelihood: MaybeNumber('Of the series as prepared, where the method has one.'),
    prior: Type.Number({ minimum: 0, description: 'Weight by frequency, before the backtest.' }),
    backtest_error: MaybeNumber('Mean absolute error over the origins. Null where it could not be had.'),
    weight: Type.Number({ minimum: 0, maximum: 1, description: 'Share in the result; the shares sum to 1.' }),
    points: Steps('Its own point forecast of each period. Empty where it failed.'),
    standard_errors: Nullable(
      Steps('Its own standard error of each period, as its model has it. Null where it has none.'),
    ),
  },
  { title: 'MethodForecast', description: 'One method, whether it won or lost.' },
);

const Errors = {
  mae: MaybeNumber('Mean absolute error, in the unit of the metric, over all origins.'),
  smape: MaybeNumber('Symmetric mean absolute percentage error, 0 to 200, over all origins.'),
  mase: MaybeNumber('Mean absolute error over that of the seasonal naive method in the history.'),
};

export const BacktestRow = Closed(
  {
    method: Type.String({ description: 'Key of a method, or `combination`.' }),
    mae_by_origin: Type.Array(MaybeNumber('Null where the method could not be fitted there.'), {
      maxItems: 3,
      description: 'Mean absolute error at each origin.',
    }),
    ...Errors,
  },
  { title: 'BacktestRow', description: 'Errors of one method at the origins.' },
);

export const BacktestCoverage = Closed(
  {
    level: Level,
    inside: Count('Actual values within the bounds.'),
    of: Count('Actual values.'),
    share: MaybeNumber('Per cent of the values within the bounds. Null without an origin.'),
  },
  { title: 'BacktestCoverage', description: 'Empirical coverage of the intervals on the backtest.' },
);

export const SeriesTreatment = Type.Union(
  [
    Closed(
      {
        kind: Type.Literal('trimmed', { description: 'Missing periods at the ends were left out.' }),
        leading: Count('Periods before the first observed one.'),
        trailing: Count('Periods after the last observed one; the horizon starts behind that.'),
      },
      { title: 'Trimmed' },
    ),
    Closed(
      {
        kind: Type.Literal('interpolated', { description: 'Missing periods were filled.' }),
        positions: Type.Array(Position('Position of a filled period'), {
          maxItems: OBSERVATIONS_MAX,
          description: 'Which ones.',
        }),
      },
      { title: 'Interpolated' },
    ),
    Closed(
      {
        kind: Type.Literal('outlier', {
          description: 'A value was replaced, since the backtest improved by it.',
        }),
        position: Position('Position of the value'),
        observed: Type.Number({ description: 'The value as it was observed.' }),
        replaced_by: Type.Number({ description: 'What stood in its place.' }),
      },
      { title: 'Outlier' },
    ),
    Closed(
      {
        kind: Type.Literal('level_shift', {
          description: 'What came before was moved to the new level, since the backtest improved by it.',
        }),
        position: Position('Position of the first value on the new level'),
        shift: Type.Number({ description: 'What was added to the values before it.' }),
      },
      { title: 'LevelShift' },
    ),
    Closed(
      {
        kind: Type.Literal('calendar', { description: 'Values were adjusted for the days of their month.' }),
        calendar: Type.String({ description: 'Name of the calendar.' }),
        days_mean: Type.Number({ description: 'Days of the month to which values were brought.' }),
      },
      { title: 'CalendarAdjusted' },
    ),
    Closed(
      {
        kind: Type.Literal('clipped', { description: 'Negative points and bounds were set to 0.' }),
        points: Count('Points set to 0.'),
      },
      { title: 'Clipped' },
    ),
    Closed(
      {
        kind: Type.Literal('untreated', {
          description: 'Outliers or shifts were found and left, since the backtest did not improve.',
        }),
        outliers: Type.Array(Position('Position of a suspect value'), {
          maxItems: OBSERVATIONS_MAX,
          description: 'Suspect values.',
        }),
        level_shift: Nullable(Position('Position of a suspected shift')),
      },
      { title: 'Untreated' },
    ),
  ],
  { title: 'SeriesTreatment', description: 'What was done to the series before it was forecast.' },
);

export const ForecastResult = Closed(
  {
    model: Type.Literal(FORECAST_MODEL, { description: 'Model and version.' }),
    method: Type.String({ description: 'Whose points these are: `combination`, or the method asked for.' }),
    frequency: Type.Enum([...frequencies], { description: 'How often the metric is observed.' }),
    period: Type.Integer({ minimum: 1, description: 'Values that make a season; 1 where there is none.' }),
    observations: Count('Values of the series as prepared.'),
    horizon: Type.Integer({ minimum: 1, maximum: HORIZON_MAX, description: 'Periods forecast.' }),
    points: Steps('Point forecast of each period of the horizon.'),
    intervals: Type.Array(ForecastInterval, { maxItems: LEVELS_MAX, description: 'By level, ascending.' }),
    interval_basis: Closed(
      {
        methods: Type.Array(MethodKey, { description: 'Whose standard errors were averaged.' }),
        factors: Type.Array(
          Closed({
            level: Level,
            factor: Type.Number({ description: 'What the mean half-width was multiplied by.' }),
          }),
          { maxItems: LEVELS_MAX, description: 'By level, ascending.' },
        ),
      },
      { description: 'What the intervals were made from.' },
    ),
    backtest: Closed(
      {
        origins: Type.Array(
          Closed({
            observations: Count('Values known at the origin.'),
            horizon: Count('Periods forecast from there and compared.'),
          }),
          { maxItems: 3, description: 'The latest first.' },
        ),
        methods: Type.Array(BacktestRow, {
          maxItems: METHODS_MAX,
          description: 'In the order of the pool.',
        }),
        combination: BacktestRow,
        coverage: Type.Array(BacktestCoverage, {
          maxItems: LEVELS_MAX,
          description: 'By level, ascending.',
        }),
      },
      { description: 'Rolling origins: the form is kept, the parameters are estimated again at each.' },
    ),
    methods: Type.Array(MethodForecast, { maxItems: METHODS_MAX, description: 'In the order of the pool.' }),
    treatments: Type.Array(SeriesTreatment, { description: 'In the order in which they were done.' }),
  },
  { title: 'ForecastResult', description: 'Result of the forecast model, the part that is sealed.' },
);

export type ForecastResult = Static<typeof ForecastResult>;
export type ForecastInterval = Static<typeof ForecastInterval>;
export type MethodForecast = Static<typeof MethodForecast>;
export type BacktestRow = Static<typeof BacktestRow>;
export type BacktestCoverage = Static<typeof BacktestCoverage>;
export type SeriesTreatment = Static<typeof SeriesTreatment>;

export type ForecastOutcome = { ok: true; result: ForecastResult } | { ok: false; refusal: ForecastRefusal };
