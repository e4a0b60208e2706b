import type { Fault } from '#lib/core/problem.ts';
import { comparedIn } from '#lib/data/feature-expression/condition.ts';
import { partsOf, type Expression } from '#lib/data/feature-expression/expression.ts';
import type { OptimizationRequestBody } from './optimization-request.schema.ts';
import { searchSpaceFaults, spaceOf } from './search-space.ts';
import { readSpaceCondition } from './space-condition.ts';

/** Returns the faults of a search that its schema cannot express. */
export function requestFaults(request: OptimizationRequestBody): Fault[] {
  const { space, strategy, require = [], walk_forward: walkForward, accept_in_sample: accepts } = request;
  const known = new Set(Object.keys(strategy.parameters ?? {}));
  const faults = searchSpaceFaults(space).map((fault) => inBody(fault.pointer, fault.code, fault.message));
  for (const name of Object.keys(space)) {
    if (!known.has(name))
      faults.push(inBody(`/space/${name}`, 'unknown_parameter', 'is not a parameter of the strategy'));
  }
  for (const [at, { min, max }] of require.entries()) {
    if (min === undefined && max === undefined)
      faults.push(inBody(`/require/${at}`, 'required', 'must have `min` or `max`'));
  }
  if (walkForward === null && accepts !== true)
    faults.push(inBody('/walk_forward', 'required', 'may be null only with `accept_in_sample`: true'));
  faults.push(...benchmarkFaults(request));
  return faults.length > 0 ? faults : [...conditionFaults(request), ...evolutionFaults(request)];
}

/** The information ratio requires a benchmark. */
function benchmarkFaults({ objective, require = [], benchmark }: OptimizationRequestBody): Fault[] {
  const metrics = [objective?.metric, ...require.map(({ metric }) => metric)];
  return metrics.includes('information_ratio') && !benchmark
    ? [inBody('/benchmark', 'required', 'must be given for `information_ratio`')]
    : [];
}

function conditionFaults({ space, where }: OptimizationRequestBody): Fault[] {
  if (where === undefined) return [];
  const read = readSpaceCondition(where, spaceOf(space));
  if (!read.ok) return [inBody('/where', 'expression', read.message)];
  if (comparedIn(read.parsed).every(isArithmetic)) return [];
  return [inBody('/where', 'expression', 'must not use functions of time or across symbols')];
}

function isArithmetic(expression: Expression): boolean {
  const { type } = expression;
  return type !== 'moving' && type !== 'ewma' && type !== 'across' && partsOf(expression).every(isArithmetic);
}

function evolutionFaults({ method, space }: OptimizationRequestBody): Fault[] {
  if (method !== 'cma_es') return [];
  const axes = spaceOf(space);
  const words = axes.find(
    (axis) => 'values' in axis && axis.values.some((value) => typeof value !== 'number'),
  );
  if (words)
    return [inBody(`/space/${words.name}`, 'numbers', 'must contain only numbers for the method `cma_es`')];
  return axes.some((axis) => ('values' in axis ? axis.values.length > 1 : axis.low < axis.high))
    ? []
    : [inBody('/space', 'min_points', 'must have a parameter with more than one value')];
}

function inBody(pointer: string, code: string, message: string): Fault {
  return { pointer, in: 'body', code, message };
}
