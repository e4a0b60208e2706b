import { arimaAdjusted } from './arima/adjusted-arima.ts';
import { arima } from './arima/arima-method.ts';
import { ets } from './ets/ets-method.ts';
import { croston, syntetosBoylan } from './intermittent/croston.ts';
import { teunterSyntetosBabai } from './intermittent/teunter-syntetos-babai.ts';
import type { ForecastMethod } from './method.ts';
import { onMstl } from './stl/mstl-method.ts';
import { theta } from './theta.ts';

/** ARIMA methods, methods for intermittent series, and decompositions, in listing order. */
export const arimaMethods: readonly ForecastMethod<any>[] = [
  arima,
  arimaAdjusted,
  croston,
  syntetosBoylan,
  teunterSyntetosBabai,
  onMstl('mstl_ets', ets),
  onMstl('mstl_arima', arima),
  onMstl('mstl_theta', theta),
];
