import type { Frequency } from './forecast-series.types.ts';

/** Weights before the backtest, by key of a method; what is not named has 0. */
export const priorWeights: Readonly<Record<Frequency, Readonly<Record<string, number>>>> = {
  yearly: {
    damped_holt: 1,
    damped_holt_box_cox: 1,
    theta: 1,
    theta_box_cox: 1,
    dynamic_theta: 1,
    dynamic_theta_box_cox: 1,
    holt_winters_damped: 1,
    ets: 1,
    arima: 1,
    ces: 1,
  },
  quarterly: {
    damped_holt: 1,
    damped_holt_box_cox: 1,
    theta: 1,
    theta_box_cox: 1,
    dynamic_theta: 1,
    dynamic_theta_box_cox: 1,
    holt_winters_damped: 1,
    ets: 1,
    arima: 1,
    ces: 1,
  },
  monthly: {
    damped_holt: 1,
    damped_holt_box_cox: 1,
    theta: 1,
    theta_box_cox: 1,
    dynamic_theta: 1,
    dynamic_theta_box_cox: 1,
    holt_winters_damped: 1,
    ets: 1,
    arima: 1,
    ces: 1,
  },
  weekly: {
    damped_holt: 1,
    damped_holt_box_cox: 1,
    theta: 1,
    theta_box_cox: 1,
    dynamic_theta: 1,
    dynamic_theta_box_cox: 1,
    holt_winters_damped: 1,
    ets: 1,
    arima: 1,
    ces: 1,
  },
  daily: {
    damped_holt: 1,
    damped_holt_box_cox: 1,
    theta: 1,
    theta_box_cox: 1,
    dynamic_theta: 1,
    dynamic_theta_box_cox: 1,
    holt_winters_damped: 1,
    ets: 1,
    arima: 1,
    ces: 1,
  },
  hourly: {
    damped_holt: 1,
    damped_holt_box_cox: 1,
    theta: 1,
    theta_box_cox: 1,
    dynamic_theta: 1,
    dynamic_theta_box_cox: 1,
    holt_winters_damped: 1,
    ets: 1,
    arima: 1,
    ces: 1,
  },
};

/** What the mean half-width is multiplied by at each level, in per cent. */
export type IntervalFactors = readonly { level: number; factor: number }[];

export const intervalFactors: Readonly<Record<Frequency, IntervalFactors>> = {
  yearly: [{ level: 95, factor: 1.35 }],
  quarterly: [{ level: 95, factor: 1.3 }],
  monthly: [{ level: 95, factor: 1.12 }],
  weekly: [{ level: 95, factor: 1.12 }],
  daily: [{ level: 95, factor: 1.12 }],
  hourly: [{ level: 95, factor: 1.12 }],
};
