import type { Frequency } from './forecast-series.types.ts';

/** Values that make the season that methods with one season look for; 1 where there is none. */
export const periodOf: Readonly<Record<Frequency, number>> = {
  yearly: 1,
  quarterly: 4,
  monthly: 12,
  weekly: 52,
  daily: 7,
  hourly: 24,
};
