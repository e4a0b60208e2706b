import type { Part, Rounds } from '#lib/core/run.ts';
import type { ScenarioInput } from '#lib/models/scenarios/scenarios.schema.ts';
import scenarios from '#workers/models/scenarios.ts';
import { FACTORS } from './monthly-returns.ts';

/** The samples of a round. The last number before the round determines which of the two sizes is used. */
const SIZES = [4_000, 6_000] as const;
const PARTS = 3;

type Samples = Pick<ScenarioInput, 'samples'>;

export const roundsOfScenarios: Rounds<Samples> = { most: 100, samples: ({ samples }) => samples };

/** Divides scenarios in rounds of at most 3 parts. The size of a round depends on the numbers of the round before. */
export function divideInRounds({ samples }: Samples, round: number, before: Float64Array): Part[] | null {
  const start = before.length / FACTORS.length;
  if (start >= samples) return null;
  const size = Math.min(samples - start, SIZES[(before.at(-1) ?? 0) > 0 ? 1 : 0]);
  const each = Math.ceil(size / PARTS);
  return Array.from({ length: Math.ceil(size / each) }, (_, at) => ({
    round,
    first: start + at * each,
    count: Math.min(each, size - at * each),
  }));
}

/** How a test worker computes scenarios in rounds instead of in one round. */
export const scenariosInRounds = {
  ...scenarios,
  divide: divideInRounds,
  rounds: roundsOfScenarios,
  compute: new URL('./scenario-rounds.compute.ts', import.meta.url),
};
