/** Finite values in their order without a gap, and how many of them make a season; 1 where there is none. */
export type Series = { values: Float64Array; period: number };

/** What is chosen once on the whole series and kept at every origin of a backtest: plain JSON, part of the result. */
export type Form = Readonly<{ name: string } & Record<string, string | number | boolean | null>>;

/** The next values, and the standard error of each where the method has a model of its errors. */
export type Forecast = { point: Float64Array; standardErrors?: Float64Array };

/** A method whose parameters are estimated on a series. */
export type Fit = {
  parameters: Readonly<Record<string, number>>;
  logLikelihood?: number;
  forecast(horizon: number): Forecast;
};

/** A way to forecast a series. It never throws on a series that it serves, and uses no random numbers. */
export type ForecastMethod<F extends Form = Form> = {
  key: string;
  /** Whether the series is long enough, and of values that the method can take. */
  serves(series: Series): boolean;
  /** Chooses the form, such as the orders of an ARIMA model. */
  choose(series: Series): F;
  /** Estimates the parameters of a form, on the whole series or on what an origin of a backtest leaves of it. */
  fit(series: Series, form: F): Fit;
};
