import type { Part } from '#lib/core/run.ts';
import type { ScenarioInput } from './scenarios.schema.ts';

/**
 * A run of more samples than this is divided among workers. Of the other engines none is: with two workers their samples
 * take as long to hand over as to draw.
 */
const SPLIT_ABOVE: Record<ScenarioInput['engine'], number> = {
  gaussian: Infinity,
  student_t: Infinity,
  filtered_historical: Infinity,
  t_copula_empirical: 20_000,
};
/** Samples of a part, at most. */
const PART_SAMPLES = 50_000;
/** Parts come in multiples of this, so that 2 and 4 workers have equal shares. */
const SHARES = 4;

/** The parts of a run in their order, together all of its samples; none of a run that one worker computes. */
export function scenarioParts(
  { samples, engine }: Pick<ScenarioInput, 'samples' | 'engine'>,
  size = evenSize(samples),
): Part[] {
  if (samples <= SPLIT_ABOVE[engine]) return [];
  return Array.from({ length: Math.ceil(samples / size) }, (_, at) => ({
    first: at * size,
    count: Math.min(size, samples - at * size),
  }));
}

function evenSize(samples: number): number {
  return Math.ceil(samples / (SHARES * Math.ceil(samples / (SHARES * PART_SAMPLES))));
}
