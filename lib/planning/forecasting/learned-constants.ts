import type { Frequency } from './forecast-series.types.ts';

/** Weights before the backtest, by key of a method; what is not named has 0. */
export const priorWeights: Readonly<Record<Frequency, Readonly<Record<string, number>>>> = {
  yearly: { naive: 1, drift: 1 },
  quarterly: { naive: 1, seasonal_naive: 1, drift: 1 },
  monthly: { naive: 1, seasonal_naive: 1, drift: 1 },
  weekly: { naive: 1, seasonal_naive: 1, drift: 1 },
  daily: { naive: 1, seasonal_naive: 1, drift: 1 },
  hourly: { naive: 1, seasonal_naive: 1, drift: 1 },
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
