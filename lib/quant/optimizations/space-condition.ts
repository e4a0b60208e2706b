import type { Condition } from '#lib/data/feature-expression/condition.ts';
import type { Space } from '#lib/numerics/search/space.ts';
import { readCondition, type Read } from '../strategies/strategy-formulas.ts';

/** Reads a condition over the numeric parameters of a space, such as `fast < slow`. */
export function readSpaceCondition(text: string, space: Space): Read<Condition> {
  return readCondition(
    text,
    space.map(({ name }) => name),
  );
}
