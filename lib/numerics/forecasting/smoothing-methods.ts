import type { ForecastMethod } from './method.ts';
import { drift, naive, naive2, seasonalNaive } from './naive-methods.ts';

/** The methods of smoothing and their benchmarks, in the order in which they are listed. */
export const smoothingMethods: readonly ForecastMethod<any>[] = [naive, seasonalNaive, naive2, drift];
