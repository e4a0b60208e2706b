import { canonicalHash } from '#lib/core/seal.ts';
import type { ResolvedStrategy } from '../strategies/strategy.schema.ts';

/** One strategy over one window, with its Sharpe ratio per session; null if its returns do not vary. */
export type Trial = { hash: string; sharpe: number | null };

/** The count of the trials of a family: all trials, and those with a Sharpe ratio, with the moments of the ratios. */
export type TrialCount = {
  /** Number of different trials. */
  counted: number;
  /** Number of trials whose returns vary. */
  measured: number;
  /** Sum and sum of squares of the Sharpe ratios of the measured trials. */
  sharpe_sum: number;
  sharpe_square_sum: number;
};

/**
 * Returns the hash of a trial: the hash is equal for equal rules over equal days, so that a repetition is not counted
 * again. The names of the strategy and its family are not rules.
 */
export function trialHash(
  { name: _, trial_family: __, ...rules }: ResolvedStrategy,
  { from, to }: { from: string; to: string },
): string {
  return canonicalHash({ rules, from, to });
}
