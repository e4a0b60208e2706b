import type { Matrix } from 'ml-matrix';
import { PHILOX_DOMAINS, PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from '../philox.ts';
import { uniform52 } from '../uniform.ts';
import { firstAbove } from '../weighted-quantile.ts';
import type { ScenarioPart } from './draw-scenarios.ts';

/** Rows of a matrix, and the weight with which each row is drawn. */
export type WeightedRows = { rows: Matrix; weights: Float64Array };

/**
 * Draws whole rows with replacement. Each sample uses one uniform, from domain 4, block 0 of the sample's stream, and
 * takes the first row whose cumulative weight is above this uniform. No number depends on how the samples are divided
 * among calls.
 *
 * Errors: `RangeError` if rows and weights differ in number, a weight is negative or not finite, or no weight is above
 * 0; also the errors of the streams. Source: the bootstrap of Efron (1979) with the weights of filtered historical
 * simulation.
 */
export function drawRows(
  { rows, weights }: WeightedRows,
  { seed, first, count }: Omit<ScenarioPart, 'antithetic'>,
): Float64Array {
  if (rows.rows !== weights.length) throw new RangeError('each row needs a weight');
  const D = rows.columns;
  const cumulative = shares(weights);
  const key = philoxKey(seed);
  const words = new Uint32Array(4);
  const out = new Float64Array(count * D);
  for (let at = 0; at < count; at += 1) {
    const counter = philoxCounter({ domain: PHILOX_DOMAINS.resampling, sample: first + at });
    philox4x32(counter, key, PHILOX_ROUNDS, words);
    const row = firstAbove(cumulative, uniform52(words[0]!, words[1]!));
    for (let d = 0; d < D; d += 1) out[at * D + d] = rows.get(row, d);
  }
  return out;
}

/**
 * Returns the cumulative shares of the weights. From the last row with a weight above 0 on, the share is exactly 1, so
 * that no later row is drawn.
 */
function shares(weights: Float64Array): Float64Array {
  const cumulative = new Float64Array(weights.length);
  let [total, last] = [0, -1];
  for (let at = 0; at < weights.length; at += 1) {
    if (!(Number.isFinite(weights[at]) && weights[at]! >= 0))
      throw new RangeError(`not a weight: ${weights[at]}`);
    if (weights[at]! > 0) last = at;
    total += weights[at]!;
    cumulative[at] = total;
  }
  if (last < 0) throw new RangeError('a weight must be above 0');
  return cumulative.map((each, at) => (at >= last ? 1 : each / total));
}
