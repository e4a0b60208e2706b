import { exp } from '../exponential.ts';
import { ln } from '../natural-log.ts';
import type { Axis, SearchValue } from './space.ts';

/**
 * Powers of ten, which are exact, up to the maximum number of decimal places to which values on a step are
 * rounded.
 */
const POWERS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12] as const;
/** Share of a step by which `high` may be below the last value because of rounding. */
const STEP_TOLERANCE = 1e-9;

/**
 * Returns the number of values of an axis. It is Infinity for a continuous range, and 1 for a range from a number to
 * itself. Example: from 0 to 0.3 in steps of 0.1 there are 4.
 */
export function valueCount(axis: Axis): number {
  if ('values' in axis) return axis.values.length;
  const { low, high, step, integer } = axis;
  if (low === high) return 1;
  const width = step ?? (integer === true ? 1 : 0);
  return width === 0 ? Infinity : Math.floor((high - low) / width + STEP_TOLERANCE) + 1;
}

/**
 * Returns the value at an index (`place`) of an axis with a finite number of values. Values on a decimal step
 * are the doubles nearest to their decimals.
 *
 * `place`: an integer from 0 to the number of values - 1; throws a `RangeError` otherwise. Example: the
 * value at index 3 of the range from 0 in steps of 0.1 is 0.3.
 */
export function valueAt(axis: Axis, place: number): SearchValue {
  const count = valueCount(axis);
  if (!Number.isSafeInteger(place) || place < 0 || place >= count || count === Infinity)
    throw new RangeError(`${axis.name} has no value ${place}`);
  if ('values' in axis) return axis.values[place]!;
  const { low, high, step = 1 } = axis;
  return Math.min(high, decimal(low + place * step, [low, step]));
}

/**
 * Returns the value of an axis at a share of its range. On a finite axis, each value v has a part of the interval from
 * 0 to 1: equal parts or, on a logarithmic scale, parts in proportion to ln(v + 1/2) - ln(v - 1/2).
 *
 * `share`: from 0 to 1; a number outside is treated as the nearest end. Example: the share 0.5 of a logarithmic range
 * from 0.01 to 1 is 0.1.
 */
export function valueOfShare(axis: Axis, share: number): SearchValue {
  const u = Math.min(1, Math.max(0, share));
  const count = valueCount(axis);
  if (count === 1) return valueAt(axis, 0);
  if ('values' in axis || (count < Infinity && axis.scale !== 'log'))
    return valueAt(axis, Math.min(count - 1, Math.floor(u * count)));
  const { low, high, scale, integer } = axis;
  if (scale !== 'log') return Math.min(high, low + u * (high - low));
  const [from, to] = logEnds(axis);
  const value = exp(from + u * (to - from));
  return Math.min(high, Math.max(low, integer === true ? Math.floor(value + 0.5) : value));
}

/**
 * Returns the share in the middle of the part that belongs to a value: the inverse of `valueOfShare`. A
 * number that is not on the axis counts as the nearest value. A word that is not on the axis throws a
 * `RangeError`.
 */
export function shareOfValue(axis: Axis, value: SearchValue): number {
  const count = valueCount(axis);
  if ('values' in axis) {
    const place = axis.values.indexOf(value);
    if (place < 0) throw new RangeError(`${String(value)} is not a value of ${axis.name}`);
    return (place + 0.5) / count;
  }
  const { low, high, step = 1, scale } = axis;
  const number = Math.min(high, Math.max(low, Number(value)));
  if (Number.isNaN(number)) throw new RangeError(`${String(value)} is not a value of ${axis.name}`);
  if (count === 1) return 0.5;
  if (scale === 'log') {
    const [from, to] = logEnds(axis);
    return (ln(number) - from) / (to - from);
  }
  if (count === Infinity) return (number - low) / (high - low);
  return (Math.min(count - 1, Math.floor((number - low) / step + 0.5)) + 0.5) / count;
}

/**
 * Returns the part of the interval from 0 to 1 that contains a share and belongs to one value. Null on a
 * continuous range.
 */
export function partOfShare(axis: Axis, share: number): { from: number; to: number } | null {
  const count = valueCount(axis);
  if (count === Infinity) return null;
  if ('values' in axis || axis.scale !== 'log' || count === 1) {
    const place = Math.min(count - 1, Math.max(0, Math.floor(share * count)));
    return { from: place / count, to: (place + 1) / count };
  }
  const [from, to] = logEnds(axis);
  const value = Number(valueOfShare(axis, share));
  return { from: (ln(value - 0.5) - from) / (to - from), to: (ln(value + 0.5) - from) / (to - from) };
}

/**
 * Returns the logarithms of the ends of a logarithmic range. A range of integers is extended by half a unit
 * at each end.
 */
function logEnds({ low, high, integer }: { low: number; high: number; integer?: boolean }): [number, number] {
  return integer === true ? [ln(low - 0.5), ln(high + 0.5)] : [ln(low), ln(high)];
}

/** Rounds a sum of multiples of decimals (`parts`) to the number of decimal places of these decimals. */
function decimal(value: number, parts: readonly number[]): number {
  const power = POWERS.find((each) => parts.every((part) => Math.round(part * each) / each === part));
  return power === undefined ? value : Math.round(value * power) / power;
}
