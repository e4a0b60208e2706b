import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { frequencies, type ForecastRefusal } from './forecast-series.types.ts';
import { forecastModels } from './forecast-models.ts';
import { HORIZON_MAX, LEVELS_MAX, OBSERVATIONS_MAX } from './limits.ts';

const METHODS_MAX = 60;
/** More than all kinds of days of all holidays of all calendars. */
const HOLIDAY_EFFECTS_MAX = 500;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const MaybeNumber = (description: string) => Nullable(Type.Number(), description);
const Steps = (description: string) => Type.Array(Type.Number(), { maxItems: HORIZON_MAX, description });
const Widening = (description: string) =>
  Type.Optional(Type.Array(Type.Number({ exclusiveMinimum: 0 }), { maxItems: HORIZON_MAX, description }));
const MethodKey = Type.String({ minLength: 1, description: 'Key of a method.', examples: ['theta_box_cox'] });
const Level = Type.Number({
  exclusiveMinimum: 0,
  exclusiveMaximum: 100,
  description: 'Level of the interval, per cent.',
});
const Position = (description: string) =>
  Type.Integer({ minimum: 0, maximum: OBSERVATIONS_MAX, description: `${description}, counted from 0.` });

export const ForecastInterval = Closed(
  {
    level: Level,
    lower: Steps('Lower bound for each period of the horizon.'),
    upper: Steps('Upper bound for each period of the horizon.'),
  },
  {
    title: 'ForecastInterval',
    description: 'Bounds that contain the metric with the probability given by the level.',
  },
);

export const MethodForecast = Closed(
  {
    method: MethodKey,
    role: Type.Union(
      [
        Type.Literal('combined', { description: 'The method has a weight in the result.' }),
        Type.Literal('dropped', {
          description: 'The method has weight 0 because its backtest error is far above the best.',
        }),
        Type.Literal('reference', {
          description: 'The method is reported for comparison only; its prior weight is 0.',
        }),
        Type.Literal('failed', { description: 'The method gave no finite forecast.' }),
      ],
      { description: 'Role of the method in the result.' },
    ),
    form: Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
      {
        description: 'Form chosen once on the whole series, such as the orders of an ARIMA model.',
      },
    ),
    parameters: Type.Record(Type.String(), Type.Number(), {
      description: 'Parameters estimated on the whole prepared series.',
    }),
    log_likelihood: MaybeNumber('Log-likelihood on the prepared series. Null if the method has none.'),
    prior: Type.Number({
      minimum: 0,
      description:
        'Weight of the method before the backtest, from the frequency or the features of the series.',
    }),
    backtest_error: MaybeNumber('Mean absolute error over the origins. Null if it cannot be computed.'),
    weight: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Weight in the result; the weights sum to 1.',
    }),
    points: Steps('Point forecast of the method for each period. Empty if the method failed.'),
    standard_errors: Nullable(
      Steps("Standard error of the method's model for each period. Null if the model has none."),
    ),
  },
  { title: 'MethodForecast', description: 'Forecast of one method, and its role in the result.' },
);

const Errors = {
  mae: MaybeNumber('Mean absolute error, in the unit of the metric, over all origins.'),
  smape: MaybeNumber('Symmetric mean absolute percentage error, 0 to 200, over all origins.'),
  mase: MaybeNumber('Mean absolute error divided by the in-sample error of the seasonal naive method.'),
};

export const BacktestRow = Closed(
  {
    method: Type.String({ description: 'Key of a method, or `combination`.' }),
    mae_by_origin: Type.Array(
      MaybeNumber('Mean absolute error at one origin; null if the method could not be fitted there.'),
      {
        maxItems: 3,
        description: 'Mean absolute error at each origin.',
      },
    ),
    ...Errors,
  },
  { title: 'BacktestRow', description: 'Errors of one method at the origins.' },
);

export const BacktestCoverage = Closed(
  {
    level: Level,
    inside: Count('Number of actual values within the bounds.'),
    of: Count('Number of actual values.'),
    share: MaybeNumber(
      'Share of actual values within the bounds, per cent. Null if the backtest has no actual values.',
    ),
  },
  { title: 'BacktestCoverage', description: 'Empirical coverage of the intervals in the backtest.' },
);

export const SeriesTreatment = Type.Union(
  [
    Closed(
      {
        kind: Type.Literal('trimmed', {
          description: 'Missing periods at the start and the end of the series were removed.',
        }),
        leading: Count('Number of missing periods before the first observed period.'),
        trailing: Count(
          'Number of missing periods after the last observed period. The horizon starts after the last observed period.',
        ),
      },
      { title: 'Trimmed' },
    ),
    Closed(
      {
        kind: Type.Literal('interpolated', { description: 'Missing periods were filled.' }),
        positions: Type.Array(Position('Position of a filled period'), {
          maxItems: OBSERVATIONS_MAX,
          description: 'Positions of the filled periods.',
        }),
      },
      { title: 'Interpolated' },
    ),
    Closed(
      {
        kind: Type.Literal('outlier', {
          description: 'An outlier was replaced because that improved the backtest.',
        }),
        position: Position('Position of the value'),
        observed: Type.Number({ description: 'The observed value.' }),
        replaced_by: Type.Number({ description: 'The value that replaced the outlier.' }),
      },
      { title: 'Outlier' },
    ),
    Closed(
      {
        kind: Type.Literal('level_shift', {
          description:
            'The values before a level shift were moved to the new level because that improved the backtest.',
        }),
        position: Position('Position of the first value on the new level'),
        shift: Type.Number({ description: 'Amount that was added to the values before the shift.' }),
      },
      { title: 'LevelShift' },
    ),
    Closed(
      {
        kind: Type.Literal('calendar', {
          description: 'Monthly values were adjusted for the number of business days in the month.',
        }),
        calendar: Type.String({ description: 'Name of the calendar.' }),
        days_mean: Type.Number({ description: 'Mean number of days per month that values were scaled to.' }),
      },
      { title: 'CalendarAdjusted' },
    ),
    Closed(
      {
        kind: Type.Literal('holidays', {
          description:
            'Effects of holidays on a daily series were tested. They were used only if they improved the forecasts of the test.',
        }),
        calendars: Type.Array(Type.String(), { description: 'The requested calendars of holidays.' }),
        scale: Nullable(
          Type.Enum(['relative', 'absolute'], {
            description:
              'Unit of the effects. `relative`: shares of the usual value, so that -0.4 is 40 % less. `absolute`: the unit of the metric.',
          }),
          'Unit of the effects. Null if no effects were used.',
        ),
        effects: Type.Array(
          Closed({
            day: Type.String({
              description: 'Kind of day: `holiday`, `holiday_on_weekend`, `day_before` or `day_after`.',
              examples: ['holiday'],
            }),
            name: Type.String({ description: 'Name of the holiday.', examples: ['christmas_day'] }),
            effect: Type.Number({ description: 'Difference from an ordinary day of the same weekday.' }),
            days: Count('Number of days that the effect was estimated from.'),
          }),
          { maxItems: HOLIDAY_EFFECTS_MAX, description: 'Effects that were used; empty if none were used.' },
        ),
        test: Closed(
          {
            origins: Count('Number of origins of the test, each before a run of holidays.'),
            error_without: MaybeNumber(
              'Mean absolute error without the effects, in the unit of the metric. Null without origins.',
            ),
            error_with: MaybeNumber('Mean absolute error with the effects. Null without origins.'),
          },
          { description: 'Test of the effects on earlier holidays of the same series.' },
        ),
      },
      { title: 'HolidaysTested' },
    ),
    Closed(
      {
        kind: Type.Literal('clipped', { description: 'Negative point forecasts and bounds were set to 0.' }),
        points: Count('Number of point forecasts set to 0.'),
      },
      { title: 'Clipped' },
    ),
    Closed(
      {
        kind: Type.Literal('untreated', {
          description:
            'Outliers or a level shift were found but not treated, because treatment did not improve the backtest.',
        }),
        outliers: Type.Array(Position('Position of a suspect value'), {
          maxItems: OBSERVATIONS_MAX,
          description: 'Positions of the suspect values.',
        }),
        level_shift: Nullable(Position('Position of a suspected shift')),
      },
      { title: 'Untreated' },
    ),
  ],
  { title: 'SeriesTreatment', description: 'A change made to the series before it was forecast.' },
);

export const ForecastResult = Closed(
  {
    model: Type.Enum([...forecastModels], { description: 'Name and version of the forecast model.' }),
    method: Type.String({ description: 'Source of the points: `combination`, or the requested method.' }),
    frequency: Type.Enum([...frequencies], { description: 'Observation frequency of the metric.' }),
    period: Type.Integer({ minimum: 1, description: 'Number of values in a season; 1 without a season.' }),
    observations: Count('Number of values in the prepared series.'),
    horizon: Type.Integer({ minimum: 1, maximum: HORIZON_MAX, description: 'Number of periods forecast.' }),
    points: Steps('Point forecast for each period of the horizon.'),
    intervals: Type.Array(ForecastInterval, {
      maxItems: LEVELS_MAX,
      description: 'One interval per level, in ascending order of level.',
    }),
    interval_basis: Closed(
      {
        methods: Type.Array(MethodKey, { description: 'Methods whose standard errors were averaged.' }),
        factors: Type.Array(
          Closed({
            level: Level,
            factor: Type.Number({
              description:
                'Factor applied to the mean standard error above the points, and below them if `lower_factor` is absent.',
            }),
            lower_factor: Type.Optional(
              Type.Number({
                description:
                  'Factor applied to the mean standard error below the points. Absent from symmetric intervals.',
              }),
            ),
          }),
          {
            maxItems: LEVELS_MAX,
            description: 'One factor per interval level, in ascending order of level.',
          },
        ),
        widening: Widening(
          'Ratio of the distance between upper bound and point to the mean standard error in each period, before the factor is applied; also of the lower bound if `lower_widening` is absent. It depends on the backtest errors and on the differences between the methods. Absent from results of version 1 of the model.',
        ),
        lower_widening: Widening(
          'The same ratio for the distance between point and lower bound. Absent from symmetric intervals.',
        ),
      },
      { description: 'Basis of the intervals.' },
    ),
    backtest: Closed(
      {
        origins: Type.Array(
          Closed({
            observations: Count('Number of values known at the origin.'),
            horizon: Count('Number of periods that were forecast from the origin and compared.'),
          }),
          { maxItems: 3, description: 'Rolling origins, latest first.' },
        ),
        methods: Type.Array(BacktestRow, {
          maxItems: METHODS_MAX,
          description: 'Errors by method, in the order of `GET /quant/statistical-models`.',
        }),
        combination: BacktestRow,
        coverage: Type.Array(BacktestCoverage, {
          maxItems: LEVELS_MAX,
          description: 'Coverage per interval level, in ascending order of level.',
        }),
      },
      {
        description:
          'Backtest at rolling origins. The form of each method is fixed; its parameters are estimated again at each origin.',
      },
    ),
    methods: Type.Array(MethodForecast, {
      maxItems: METHODS_MAX,
      description: 'Forecasts by method, in the order of the method pool.',
    }),
    treatments: Type.Array(SeriesTreatment, {
      description: 'Treatments of the series, in the order they were applied.',
    }),
  },
  { title: 'ForecastResult', description: 'Result of the forecast model. This part is sealed.' },
);

export type ForecastResult = Static<typeof ForecastResult>;
export type ForecastInterval = Static<typeof ForecastInterval>;
export type MethodForecast = Static<typeof MethodForecast>;
export type BacktestRow = Static<typeof BacktestRow>;
export type BacktestCoverage = Static<typeof BacktestCoverage>;
export type SeriesTreatment = Static<typeof SeriesTreatment>;

export type ForecastOutcome = { ok: true; result: ForecastResult } | { ok: false; refusal: ForecastRefusal };
