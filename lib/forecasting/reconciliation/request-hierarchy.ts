import { invalid, type Fault } from '#lib/core/problem.ts';
import { hierarchyOf, type Hierarchy, type Sum } from '#lib/numerics/reconciliation/hierarchy.ts';
import { FORECASTS_MAX, type ReconciliationInput } from './reconciliations.schema.ts';

type Sums = ReconciliationInput['sums'];

/** Returns every forecast of the sums once, in the order in which the sums name them. */
export function forecastsOfSums(sums: Sums): string[] {
  return [...new Set(sums.flatMap(({ total, parts }) => [total, ...parts]))];
}

/**
 * Returns the hierarchy of the sums over `forecasts`. Throws `validation_failed` with a pointer to the sum if a forecast
 * is a part of itself, if two sums of a total contradict each other, or if there are too many forecasts.
 */
export function requestHierarchy(sums: Sums, forecasts: readonly string[]): Hierarchy {
  if (forecasts.length > FORECASTS_MAX) {
    const message = `must name at most ${FORECASTS_MAX} different forecasts; they name ${forecasts.length}`;
    throw invalid([fault('/sums', 'too_many_forecasts', message)]);
  }
  const found = hierarchyOf(forecasts.length, indexedSums(sums, forecasts));
  if (found.ok) return found.hierarchy;
  const { code, at } = found.fault;
  const message =
    code === 'circle'
      ? 'makes the total a part of itself'
      : 'contains other forecasts than the first sum of the same total';
  throw invalid([fault(`/sums/${at}`, code, message)]);
}

/** Returns the sums with the forecasts as positions in `forecasts`. */
export function indexedSums(sums: Sums, forecasts: readonly string[]): Sum[] {
  const position = new Map(forecasts.map((uid, at) => [uid, at]));
  return sums.map(({ total, parts }) => ({
    total: position.get(total)!,
    parts: parts.map((part) => position.get(part)!),
  }));
}

function fault(pointer: string, code: string, message: string): Fault {
  return { pointer, in: 'body', code, message };
}
