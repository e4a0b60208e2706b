import { seasonalIndices } from '../classical-decomposition.ts';
import type { EtsForm } from './ets-form.ts';

/**
 * The start of the search for the states before the first value. `seasons` has one state for each position in the
 * season.
 */
export type InitialStates = { level: number; slope: number; seasons: Float64Array };

const FIRST_VALUES = 10;

/**
 * Computes heuristic initial states: indices of the classical decomposition, then a straight line through the first ten
 * seasonally adjusted values (at least one season), or their mean without a trend.
 *
 * Source: Hyndman, Koehler, Snyder and Grose, "A state space framework for automatic forecasting using exponential
 * smoothing methods", International Journal of Forecasting 18 (2002) 439-454.
 */
export function initialStates(y: Float64Array, period: number, { trend, season }: EtsForm): InitialStates {
  const seasons = seasonStates(y, period, season);
  const count = Math.min(y.length, Math.max(FIRST_VALUES, season === 'N' ? 0 : period));
  let [sum, sumOfProducts] = [0, 0];
  const middle = (count + 1) / 2;
  for (let t = 0; t < count; t += 1) {
    const adjusted =
      season === 'N' ? y[t]! : season === 'A' ? y[t]! - seasons[t % period]! : y[t]! / seasons[t % period]!;
    sum += adjusted;
    sumOfProducts += (t + 1 - middle) * adjusted;
  }
  const mean = sum / count;
  if (trend === 'N' || count < 2) return { level: mean, slope: 0, seasons };
  const slope = sumOfProducts / ((count * (count * count - 1)) / 12);
  return { level: positiveWhere(season === 'M', mean - slope * middle, mean), slope, seasons };
}

function seasonStates(y: Float64Array, period: number, season: 'N' | 'A' | 'M'): Float64Array {
  if (season === 'N') return new Float64Array(0);
  const isAdditive = season === 'A';
  const indices = seasonalIndices(y, period, isAdditive ? 'additive' : 'multiplicative');
  if (!indices) return new Float64Array(period).fill(isAdditive ? 0 : 1);
  if (isAdditive) return indices;
  let sum = 0;
  for (let place = 0; place < period; place += 1) {
    indices[place] = Math.max(0.01, indices[place]!);
    sum += indices[place]!;
  }
  return indices.map((index) => (index * period) / sum);
}

function positiveWhere(mustBe: boolean, value: number, otherwise: number): number {
  return mustBe && !(value > 0) ? otherwise : value;
}
