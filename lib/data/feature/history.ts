/**
 * The known inputs of one entity, and the values that a feature computes from them.
 *
 * - **moment**: microseconds since 1970, in UTC, so that instants of the database compare exactly.
 * - **observation**: the value of a column on a day of a period, known from a moment on. Within a period, the
 *   observation with the highest `rank` that is not withdrawn is used. A value of NaN means that the column has
 *   no value.
 * - **steps** of an event: the values that became known for the event, each with the moment from which it was
 *   known, in ascending order. NaN means that there is no value from this moment on. The first step has a
 *   value, and each step differs from the previous step.
 */
export type Moment = number;

export type Observation = {
  column: string;
  period: number;
  rank: number;
  knownAt: Moment;
  /** The value; null if the observation is withdrawn from this moment on. */
  value: number | null;
};

export type Step = { knownAt: Moment; value: number };

/** The steps of one entity, by period number. */
export type FeatureHistory = Map<number, Step[]>;

/** Adds a value known from a moment on, unless it equals the previous value. */
export function appendStep(history: FeatureHistory, period: number, knownAt: Moment, value: number): void {
  const steps = history.get(period);
  const last = steps?.at(-1);
  if (Number.isNaN(value) ? !last || Number.isNaN(last.value) : last?.value === value) return;
  if (steps) steps.push({ knownAt, value });
  else history.set(period, [{ knownAt, value }]);
}

/** Returns the value known at a moment; NaN if no value was known. */
export function valueKnownAt(steps: readonly Step[] | undefined, moment: Moment): number {
  return steps?.findLast(({ knownAt }) => knownAt <= moment)?.value ?? Number.NaN;
}
