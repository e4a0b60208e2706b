import { columnsOf, type Expression } from '../feature-expression/expression.ts';
import { stagesOf } from '../feature-expression/stages.ts';
import type { FeatureFrequency } from '#lib/data/feature/kind.ts';
import { computeAcross } from './across-entities.ts';
import { computeAlongTime, type AlongTime } from './along-time.ts';
import type { Moment, Observation, FeatureHistory } from './history.ts';
import { eventTimeOf } from './period.ts';

export type FeatureRule = { expression: Expression; frequency: FeatureFrequency };

/**
 * Computes the values of a feature for each entity from the full history of its columns, at each moment at
 * which an input became known. Lags and windows of a daily feature count observed days. Lags and windows of a
 * longer frequency count calendar periods.
 */
export function computeFeature(
  { expression, frequency }: FeatureRule,
  observed: ReadonlyMap<string, readonly Observation[]>,
  now: Moment,
): Map<string, FeatureHistory> {
  const rule: Omit<AlongTime, 'expression'> = {
    presence: columnsOf(expression),
    counting: frequency === 'daily' ? 'observed' : 'calendar',
    eventTime: (period) => eventTimeOf(frequency, period),
    now,
  };
  const { stages, rest } = stagesOf(expression);
  const made = new Map<string, Map<string, FeatureHistory>>();
  const along = (part: Expression): Map<string, FeatureHistory> => {
    if (part.type === 'column' && made.has(part.name)) return made.get(part.name)!;
    const entities = [...observed].map(([entity, observations]): [string, FeatureHistory] => {
      const compared = columnsOf(part).flatMap((column) =>
        observationsOf(column, made.get(column)?.get(entity)),
      );
      return [entity, computeAlongTime({ ...rule, expression: part }, [...observations, ...compared])];
    });
    return new Map(entities);
  };
  for (const { column, name, of } of stages) made.set(column, computeAcross(name, along(of)));
  return along(rest);
}

/**
 * Converts the results of a comparison of entities to observations of `column`, from which expressions read the
 * results.
 */
function observationsOf(column: string, history: FeatureHistory | undefined): Observation[] {
  return [...(history ?? [])].flatMap(([period, steps]) =>
    steps.map(({ knownAt, value }) => ({
      column,
      period,
      rank: 0,
      knownAt,
      value: Number.isNaN(value) ? null : value,
    })),
  );
}
