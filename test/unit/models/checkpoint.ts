import type { PathInput } from '#lib/models/scenarios/paths.schema.ts';
import type { ScenarioInput } from '#lib/models/scenarios/scenarios.schema.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';

const HASH = '0'.repeat(64);

/** A checkpoint of a regime model with two regimes of two factors. */
export const CHECKPOINT: Checkpoint = {
  recipe: 'regime-ghmm/1',
  factors: ['A', 'B'],
  regimes: [
    {
      name: 'calm',
      means: [0.01, 0.02],
      covariance: [
        [0.0004, 0.0002],
        [0.0002, 0.0009],
      ],
      months: 100,
    },
    {
      name: 'stressed',
      means: [-0.05, -0.04],
      covariance: [
        [0.01, 0.005],
        [0.005, 0.0125],
      ],
      months: 50,
    },
  ],
  transitions: [
    [0.9, 0.1],
    [0.3, 0.7],
  ],
  initial: [1, 0],
  stationary: [0.75, 0.25],
  current: [0.6, 0.4],
  first_month: '2000-01-31',
  last_month: '2012-06-30',
  training_data_hash: HASH,
};

const named = {
  model_uid: 'lqm_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
  version_uid: 'lqv_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
  version: 1,
  content_hash: HASH,
  training_uid: 'trn_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
  checkpoint_hash: HASH,
  seed: 42,
  context: {
    last_month: '2012-06-30',
    as_of: '2012-07-15',
    age_days: 15,
    factors: CHECKPOINT.factors,
    values: [0.01, 0.02],
  },
};

export function pathInput(changed: Partial<PathInput>): PathInput {
  return { ...named, regime: 'stressed', horizon: 12, paths: 100, ...changed };
}

export function scenarioInput(changed: Partial<ScenarioInput>): ScenarioInput {
  return {
    ...named,
    regime: 'stressed',
    samples: 500,
    stress: [],
    engine: 'gaussian',
    degrees_of_freedom: null,
    antithetic: true,
    training_set: null,
    ...changed,
  };
}
