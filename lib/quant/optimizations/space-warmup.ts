import type { Axis, Space } from '#lib/numerics/search/space.ts';
import type { ParameterValue } from '../strategies/parameter.schema.ts';
import { resolveStrategy } from '../strategies/resolve-strategy.ts';
import { strategyQuestion } from '../strategies/strategy-question.ts';
import type { Strategy } from '../strategies/strategy.schema.ts';

/**
 * Returns the reach of a space: the largest number of sessions that any of its trials reads before the first day.
 * The reach is monotonic in each parameter, so the search moves one parameter after the other to the end of
 * its range with the larger reach. Points that are not valid strategies are ignored.
 */
export function warmupOfSpace(
  strategy: Strategy,
  start: Readonly<Record<string, ParameterValue>>,
  space: Space,
): number {
  const reach = (parameters: Record<string, ParameterValue>) => {
    const found = resolveStrategy(strategy, parameters);
    return found.ok ? strategyQuestion(found.strategy).warmup : 0;
  };
  let parameters = { ...start };
  let most = reach(parameters);
  for (const axis of space) {
    for (const value of endsOf(axis)) {
      const moved = { ...parameters, [axis.name]: value };
      const reached = reach(moved);
      if (reached > most) [parameters, most] = [moved, reached];
    }
  }
  return most;
}

/** Returns the values of an axis at which the reach can be largest. */
function endsOf(axis: Axis): ParameterValue[] {
  if (!('values' in axis)) return [axis.low, axis.high];
  const numbers = axis.values.filter((value) => typeof value === 'number');
  const words = axis.values.filter((value) => typeof value === 'string');
  return numbers.length > 0 ? [...words, Math.min(...numbers), Math.max(...numbers)] : words;
}
