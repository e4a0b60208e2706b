import type { Part } from '#lib/core/job.ts';

/** A run of more samples than this is divided among workers. */
export const SPLIT_ABOVE = 20_000;
/** Samples of a part, at most: four times what is drawn at a time. */
export const PART_SAMPLES = 16_384;

/** The parts of a run in their order, together all of its samples; none of a run that one worker computes. */
export function scenarioParts({ samples }: { samples: number }, size = PART_SAMPLES): Part[] {
  if (samples <= SPLIT_ABOVE) return [];
  return Array.from({ length: Math.ceil(samples / size) }, (_, at) => ({
    first: at * size,
    count: Math.min(size, samples - at * size),
  }));
}
