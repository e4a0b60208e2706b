import type { Frequency } from './forecast-series.types.ts';

/** Season length in values for methods with one season; 1 for no season. */
export const periodOf: Readonly<Record<Frequency, number>> = {
  yearly: 1,
  quarterly: 4,
  monthly: 12,
  weekly: 52,
  daily: 7,
  hourly: 24,
};
