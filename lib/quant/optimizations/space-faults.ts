import type { Axis, Space } from '#lib/numerics/search/space.ts';

export type SpaceFault = { axis: number; reason: SpaceFaultReason };

/**
 * Reasons why an axis is not valid. `empty`: no value. `not_finite`: a number that is not finite. `reversed`: `low`
 * above `high`. `step`: a step that is not above 0, or a step on a logarithmic scale. `log`: a logarithmic range that
 * reaches 0. `integer`: an integer range with a fraction, or beyond 2^53. `repeated_value`: a value that is listed
 * twice. `repeated_name`: the name of an earlier axis.
 */
export type SpaceFaultReason =
  | 'empty'
  | 'not_finite'
  | 'reversed'
  | 'step'
  | 'log'
  | 'integer'
  | 'repeated_value'
  | 'repeated_name';

/** Returns the faults of a space, one at most for each axis. A search needs a space without faults. */
export function spaceFaults(space: Space): SpaceFault[] {
  return space.flatMap((each, axis) => {
    const isRepeated = space.findIndex(({ name }) => name === each.name) < axis;
    const reason = isRepeated ? 'repeated_name' : axisFault(each);
    return reason === null ? [] : [{ axis, reason }];
  });
}

function axisFault(axis: Axis): SpaceFaultReason | null {
  if ('values' in axis) {
    const { values } = axis;
    if (values.length === 0) return 'empty';
    if (values.some((each) => typeof each === 'number' && !Number.isFinite(each))) return 'not_finite';
    return new Set(values).size < values.length ? 'repeated_value' : null;
  }
  const { low, high, step, scale, integer } = axis;
  if (!Number.isFinite(low) || !Number.isFinite(high) || !Number.isFinite(high - low)) return 'not_finite';
  if (low > high) return 'reversed';
  if (step !== undefined && (!(step > 0 && step < Infinity) || scale === 'log')) return 'step';
  if (scale === 'log' && !(low > 0)) return 'log';
  const isWhole = [low, high, step ?? 1].every((each) => Number.isSafeInteger(each));
  return integer === true && !isWhole ? 'integer' : null;
}
