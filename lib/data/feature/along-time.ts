import type { Expression } from '../feature-expression/expression.ts';
import { evaluate } from '../feature-expression/evaluate.ts';
import { reachOf } from '../feature-expression/reach.ts';
import { Grid, type Counting } from './grid.ts';
import { appendStep, type Moment, type Observation, type FeatureHistory } from './history.ts';
import { KnownColumns } from './known-columns.ts';

export type AlongTime = {
  /** The expression. Its comparisons of entities have been replaced by columns with their results. */
  expression: Expression;
  /**
   * The columns that show whether an entity was observed. An entity was observed in a period if at least one of these
   * columns has a value.
   */
  presence: readonly string[];
  counting: Counting;
  /** Returns the time of the event of a period. */
  eventTime(period: number): Moment;
  /** Events after this moment have not happened yet. */
  now: Moment;
};

/**
 * Computes the values of an expression for one entity, at each moment at which an input became known. A value
 * is known from the moment at which all its inputs were known, but not before the event of its period,
 * because the period ends with the event. A period in which the entity was not observed has no value.
 *
 * Observations may be in any order. Observations with the same column, period, rank and moment are treated as one.
 */
export function computeAlongTime(rule: AlongTime, observations: readonly Observation[]): FeatureHistory {
  const history: FeatureHistory = new Map();
  const known = new KnownColumns(rule.presence);
  const grid = new Grid(rule.counting);
  const reach = reachOf(rule.expression);
  const waiting = new Set<number>();
  const byMoment = Map.groupBy(
    observations.filter(({ knownAt }) => knownAt <= rule.now),
    ({ knownAt }) => knownAt,
  );
  for (const moment of momentsOf(rule, byMoment)) {
    for (const observation of byMoment.get(moment) ?? []) {
      const { period } = observation;
      known.learn(observation);
      const before = grid.reached(period, reach);
      grid.note(period, known.isObserved(period));
      for (const each of [period, ...before, ...grid.reached(period, reach)]) waiting.add(each);
    }
    const due = [...waiting].filter((period) => rule.eventTime(period) <= moment).sort((a, b) => a - b);
    for (const period of due) waiting.delete(period);
    for (const [from, to] of runsOf(grid, due)) {
      const read = (column: string, place: number) => {
        const period = grid.periodAt(place);
        return period === undefined ? Number.NaN : known.valueOf(column, period);
      };
      const values = evaluate(rule.expression, read, from, to);
      for (let place = from; place <= to; place += 1) {
        appendStep(history, grid.periodAt(place)!, moment, values[place - from]!);
      }
    }
    for (const period of due) if (!grid.isObserved(period)) appendStep(history, period, moment, Number.NaN);
  }
  return history;
}

/**
 * Returns the moments at which the values can change: when an input became known and, for inputs that were known before
 * their event, the time of the event.
 */
function momentsOf(
  { eventTime, now }: AlongTime,
  byMoment: ReadonlyMap<Moment, readonly Observation[]>,
): Float64Array {
  const moments = new Set(byMoment.keys());
  for (const [moment, observations] of byMoment) {
    for (const { period } of observations) {
      const event = eventTime(period);
      if (moment < event && event <= now) moments.add(event);
    }
  }
  return Float64Array.from(moments).sort();
}

/**
 * Returns the positions of the observed periods among `periods`, combined into ranges of consecutive
 * positions.
 */
function runsOf(grid: Grid, periods: readonly number[]): [from: number, to: number][] {
  const runs: [number, number][] = [];
  for (const period of periods) {
    if (!grid.isObserved(period)) continue;
    const place = grid.placeOf(period);
    const last = runs.at(-1);
    if (last && place === last[1] + 1) last[1] = place;
    else runs.push([place, place]);
  }
  return runs;
}
