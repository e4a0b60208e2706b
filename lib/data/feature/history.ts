/**
 * What became known of the columns of one entity, and what a feature tells from it.
 *
 * - **moment**: microseconds since 1970, in UTC, so that instants of the database compare exactly.
 * - **observation**: what a column said of a day of a period, from a moment on; NaN where it is known to say nothing.
 *   Within a period the observation of the highest `rank` that is not withdrawn counts.
 * - **steps** of an event: what is told of it from each moment on, by ascending moment; NaN where nothing is any more.
 *   The first step has a value, and each step differs from the one before.
 */
export type Moment = number;

export type Observation = {
  column: string;
  period: number;
  rank: number;
  knownAt: Moment;
  /** Null: it is withdrawn from this moment on. */
  value: number | null;
};

export type Step = { knownAt: Moment; value: number };

/** What is told of an entity, by the number of the period. */
export type FeatureHistory = Map<number, Step[]>;

/** Adds what is told from a moment on, unless it says nothing new. */
export function appendStep(history: FeatureHistory, period: number, knownAt: Moment, value: number): void {
  const steps = history.get(period);
  const last = steps?.at(-1);
  if (Number.isNaN(value) ? !last || Number.isNaN(last.value) : last?.value === value) return;
  if (steps) steps.push({ knownAt, value });
  else history.set(period, [{ knownAt, value }]);
}

/** What was told at a moment: NaN where nothing was. */
export function valueKnownAt(steps: readonly Step[] | undefined, moment: Moment): number {
  return steps?.findLast(({ knownAt }) => knownAt <= moment)?.value ?? Number.NaN;
}
