import type { Part } from '#lib/core/run.ts';
import type { ScenarioInput } from './scenarios.schema.ts';

/**
 * Number of samples above which a run is divided among workers, by engine. Runs of some engines are never divided,
 * because transferring the samples between workers takes as long as drawing them.
 */
const SPLIT_ABOVE: Record<ScenarioInput['engine'], number> = {
  gaussian: Infinity,
  student_t: Infinity,
  filtered_historical: Infinity,
  t_copula_empirical: 20_000,
};
/** Maximum samples per part. */
const PART_SAMPLES = 50_000;
/** The number of parts is a multiple of this number, so that 2 and 4 workers have equal shares. */
const SHARES = 4;

/**
 * Returns the parts of a run in order. Together, the parts cover all samples. Returns null for a run that one worker
 * computes.
 */
export function scenarioParts(
  { samples, engine }: Pick<ScenarioInput, 'samples' | 'engine'>,
  size = evenSize(samples),
): Part[] | null {
  if (samples <= SPLIT_ABOVE[engine]) return null;
  return Array.from({ length: Math.ceil(samples / size) }, (_, at) => ({
    round: 0,
    first: at * size,
    count: Math.min(size, samples - at * size),
  }));
}

function evenSize(samples: number): number {
  return Math.ceil(samples / (SHARES * Math.ceil(samples / (SHARES * PART_SAMPLES))));
}
