import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import type { ScenarioInput } from './scenarios.schema.ts';

/**
 * Returns the share of the samples that each regime contributes. Returns undefined if the model has no regime with the
 * requested name.
 */
export function regimeProbabilities(
  checkpoint: Checkpoint,
  regime: ScenarioInput['regime'],
): number[] | undefined {
  if (regime === 'current') return checkpoint.current;
  if (regime === 'ergodic') return checkpoint.stationary;
  const named = checkpoint.regimes.findIndex(({ name }) => name === regime);
  return named < 0 ? undefined : checkpoint.regimes.map((_, at) => Number(at === named));
}
