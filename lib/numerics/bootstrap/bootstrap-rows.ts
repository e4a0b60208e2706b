import { ln } from '../natural-log.ts';
import { PHILOX_DOMAINS, PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from '../philox.ts';

const TWO_TO_32 = 4294967296;

export const bootstrapMethods = ['independent', 'circular', 'stationary'] as const;
export type BootstrapMethod = (typeof bootstrapMethods)[number];

/** How rows of a history are drawn. */
export type BootstrapPlan = {
  method: BootstrapMethod;
  /** Length of a block: an integer for `circular`, the mean length for `stationary`, unused for `independent`. */
  block: number;
  /** Number of rows of the history. */
  rows: number;
  /** Number of rows that each path draws. */
  horizon: number;
};

/** Paths `first` to `first + count - 1` of a seed. */
export type PathRange = { seed: number; first: number; count: number };

/**
 * Fills `out` with the rows that consecutive paths draw from a history with replacement: single rows (`independent`),
 * blocks of equal length (`circular`), or blocks of geometric length (`stationary`). After the last row of the history,
 * a block continues with the first row.
 *
 * Shapes: `out` is paths-by-horizon, path by path; each element is a row from 0 to `rows - 1`. Path i reads the words
 * of its own stream of domain 4 in order: for each block a word for its first row and, if `stationary`, a word for its
 * length. The rows of a path therefore depend neither on a division of the paths nor on the horizon. A row is
 * `floor(word rows / 2^32)`; the probabilities of two rows differ by at most 2^-32. Range: `rows` and `horizon` from 1,
 * `block` from 1 to `rows`, an integer for `circular`. Errors: `RangeError` if a number is outside its range or `out`
 * is too short. Sources: Efron (1979); Politis and Romano, "A circular block-resampling procedure" (1992) and "The
 * stationary bootstrap", JASA 89 (1994).
 *
 * @example
 * const rows = new Int32Array(4);
 * bootstrapRows(rows, { method: 'circular', block: 2, rows: 3, horizon: 4 }, { seed: 1, first: 0, count: 1 });
 */
export function bootstrapRows(out: Int32Array, plan: BootstrapPlan, { seed, first, count }: PathRange): void {
  const { method, rows, horizon } = plan;
  checkPlan(plan, out.length, count);
  const isStationary = method === 'stationary';
  const block = method === 'independent' ? 1 : plan.block;
  // Minus infinity for blocks of length 1.
  const logStay = ln(1 - 1 / block);
  const scale = rows / TWO_TO_32;
  const key = philoxKey(seed);
  const words = new Uint32Array(4);
  const counter = philoxCounter({ domain: PHILOX_DOMAINS.resampling, sample: first });
  philoxCounter({ domain: PHILOX_DOMAINS.resampling, sample: first + Math.max(0, count - 1) });
  let place = 4;
  let at = 0;
  for (let path = first; path < first + count; path += 1) {
    counter[0] = 0;
    counter[1] = path;
    counter[3] = path / TWO_TO_32;
    place = 4;
    const end = at + horizon;
    while (at < end) {
      if (place === 4) {
        philox4x32(counter, key, PHILOX_ROUNDS, words);
        counter[0]! += 1;
        place = 0;
      }
      let row = Math.floor(words[place]! * scale);
      const until = Math.min(end, at + (isStationary ? geometric(words[place + 1]!, logStay) : block));
      place += isStationary ? 2 : 1;
      for (; at < until; at += 1) {
        out[at] = row;
        row += 1;
        if (row === rows) row = 0;
      }
    }
  }
}

/** Returns a geometric length of at least 1, by inversion. `logStay`: logarithm of the probability to continue. */
function geometric(word: number, logStay: number): number {
  return 1 + Math.floor(ln((word + 0.5) / TWO_TO_32) / logStay);
}

function checkPlan({ method, block, rows, horizon }: BootstrapPlan, length: number, count: number): void {
  for (const [name, value] of Object.entries({ rows, horizon }))
    if (!(Number.isSafeInteger(value) && value >= 1)) throw new RangeError(`${name} must be at least 1`);
  if (method !== 'independent' && !(block >= 1 && block <= rows))
    throw new RangeError(`a block must have from 1 to ${rows} rows, got ${block}`);
  if (method === 'circular' && !Number.isInteger(block))
    throw new RangeError(`a circular block must have an integer length, got ${block}`);
  if (length < count * horizon)
    throw new RangeError(`${count} paths of ${horizon} rows do not fit into the output`);
}
