import { ces, cesAdjusted } from './ces/ces-method.ts';
import { dynamicTheta, dynamicThetaBoxCox } from './dynamic-theta.ts';
import { ets } from './ets/ets-method.ts';
import { holtWintersAdditive, holtWintersDamped, holtWintersMultiplicative } from './holt-winters.ts';
import type { ForecastMethod } from './method.ts';
import { drift, naive, naive2, seasonalNaive } from './naive-methods.ts';
import { theta, thetaBoxCox } from './theta.ts';
import { dampedHolt, dampedHoltBoxCox, holt, ses } from './trend-methods.ts';

/** The smoothing methods and their benchmarks, in listing order. */
export const smoothingMethods: readonly ForecastMethod<any>[] = [
  naive,
  seasonalNaive,
  naive2,
  drift,
  ses,
  holt,
  dampedHolt,
  dampedHoltBoxCox,
  theta,
  thetaBoxCox,
  dynamicTheta,
  dynamicThetaBoxCox,
  holtWintersAdditive,
  holtWintersMultiplicative,
  holtWintersDamped,
  ets,
  ces,
  cesAdjusted,
];
