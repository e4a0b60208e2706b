import type { Part } from '#lib/core/run.ts';
import type { ScenarioInput } from './scenarios.schema.ts';

/**
 * A run with more samples is divided among workers. Runs of the other engines are never divided: with two workers,
 * handing
 * over their samples takes as long as drawing them.
 */
const SPLIT_ABOVE: Record<ScenarioInput['engine'], number> = {
  gaussian: Infinity,
  student_t: Infinity,
  filtered_historical: Infinity,
  t_copula_empirical: 20_000,
};
/** Maximum samples per part. */
const PART_SAMPLES = 50_000;
/** The number of parts is a multiple of this, so that 2 and 4 workers have equal shares. */
const SHARES = 4;

/** Returns the parts of a run in order, which together cover its samples. Empty for a run that one worker computes. */
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
