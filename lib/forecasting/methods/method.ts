/**
 * The input of a method: finite values in order, without gaps, and the number of values per season (1 without a
 * season).
 */
export type Series = { values: Float64Array; period: number };

/**
 * The form of a method, such as the orders of an ARIMA model. The form is chosen once on the whole series and kept at
 * every origin of a backtest. It is plain JSON and part of the result.
 */
export type Form = Readonly<{ name: string } & Record<string, string | number | boolean | null>>;

/** The next values, and the standard error of each if the method has an error model. */
export type Forecast = { point: Float64Array; standardErrors?: Float64Array };

/** A method with parameters estimated on a series. */
export type Fit = {
  parameters: Readonly<Record<string, number>>;
  logLikelihood?: number;
  forecast(horizon: number): Forecast;
};

/** A forecasting method. A method never throws on a series that it supports, and uses no random numbers. */
export type ForecastMethod<F extends Form = Form> = {
  key: string;
  /** Whether the method supports the series: it is long enough and has valid values. */
  serves(series: Series): boolean;
  /** Chooses the form, such as the orders of an ARIMA model. */
  choose(series: Series): F;
  /** Estimates the parameters of a form, on the whole series or on the values known at an origin of a backtest. */
  fit(series: Series, form: F): Fit;
};
