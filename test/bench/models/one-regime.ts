import type { ScenarioInput } from '#lib/models/scenarios/scenarios.schema.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';

const MEAN = 0.005;
const VARIANCE = 0.0025;
const COVARIANCE = 0.001;

/** Creates a checkpoint of one regime whose factors all have the same distribution. */
export function oneRegime(size: number): Checkpoint {
  const row = (place: number) =>
    Array.from({ length: size }, (_, other) => (other === place ? VARIANCE : COVARIANCE));
  return {
    factors: Array.from({ length: size }, (_, place) => `f${place}`),
    regimes: [
      {
        name: 'calm',
        means: Array.from({ length: size }, () => MEAN),
        covariance: Array.from({ length: size }, (_, place) => row(place)),
      },
    ],
    transitions: [[1]],
    initial: [1],
    stationary: [1],
    current: [1],
    // A scenario reads no other field of a checkpoint.
  } as unknown as Checkpoint;
}

/** Creates a request for a number of samples, without antithetic pairs. */
export function scenarioOf({ factors }: Checkpoint, samples: number): ScenarioInput {
  return {
    regime: 'calm',
    samples,
    seed: 42,
    stress: [],
    engine: 'gaussian',
    degrees_of_freedom: null,
    antithetic: false,
    training_set: null,
    context: { last_month: '2026-10-31', as_of: '2026-11-21', age_days: 21, factors, values: [] },
    // The fields that identify the model are left out, because a scenario does not read them.
  } as unknown as ScenarioInput;
}
