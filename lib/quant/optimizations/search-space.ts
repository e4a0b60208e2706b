import { compareText } from '#lib/core/compare-text.ts';
import type { Axis, Point, Space } from '#lib/numerics/search/space.ts';
import type { ParameterValue } from '../strategies/parameter.schema.ts';
import type { SearchSpace } from './search-space.schema.ts';
import { spaceFaults, type SpaceFaultReason } from './space-faults.ts';

/** A fault of a space. `pointer` is a JSON pointer into the space. */
export type SearchSpaceFault = { pointer: string; code: string; message: string };

const MESSAGES: Readonly<Record<SpaceFaultReason, string>> = {
  empty: 'must have a value',
  not_finite: 'must have finite bounds',
  reversed: 'must have a low that is not above its high',
  step: 'must have a step above 0, or no step on a logarithmic scale',
  log: 'must be above 0 on a logarithmic scale',
  integer: 'must have bounds and a step that are integers',
  repeated_value: 'must not repeat a value',
  repeated_name: 'must not repeat a name',
};

/** Returns the axes of a space, sorted by name, so that the order of the request does not matter. */
export function spaceOf(space: SearchSpace): Space {
  return Object.entries(space)
    .sort(([one], [other]) => compareText(one, other))
    .map(([name, axis]) => ({ name, ...axis }) as Axis);
}

/** Returns the faults of a space. */
export function searchSpaceFaults(space: SearchSpace): SearchSpaceFault[] {
  const axes = spaceOf(space);
  return spaceFaults(axes).map(({ axis, reason }) => ({
    pointer: `/space/${axes[axis]!.name}`,
    code: reason,
    message: MESSAGES[reason],
  }));
}

/** Returns the parameters of a point by name. */
export function parametersOf(space: Space, point: Point): Record<string, ParameterValue> {
  return Object.fromEntries(space.map(({ name }, at) => [name, point[at] as ParameterValue]));
}
