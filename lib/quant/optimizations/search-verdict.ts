import type { OptimizationResult } from './optimization-result.schema.ts';

export type VerdictFacts = Pick<
  OptimizationResult,
  'best_in_sample' | 'folds' | 'plateau' | 'parameter_stability'
> & {
  pbo: number | null;
  deflated: number | null;
  /** p-value of the test whether the Sharpe ratio of the best trial is larger than the Sharpe ratio of the baseline. */
  p: number | null;
};

const PBO_MAX = 0.5;
const DEFLATED_MIN = 0.95;
const P_MAX = 0.05;
const CHANGED_MAX = 0.8;
const PLATEAU_MIN = 0.5;

/**
 * Returns the verdict of a search. The first objection that applies is the verdict. An undefined figure
 * counts as an objection.
 */
export function searchVerdict(facts: VerdictFacts): OptimizationResult['verdict'] {
  const { best_in_sample: best, folds, pbo, deflated, p, plateau, parameter_stability: stability } = facts;
  if (best === null) return 'no_feasible_trial';
  if (pbo === null || pbo > PBO_MAX) return 'overfit';
  if (deflated === null || deflated < DEFLATED_MIN) return 'not_deflated';
  if (p === null || p > P_MAX) return 'not_better_than_baseline';
  if (folds.length === 0) return 'in_sample_only';
  const isMoving = (stability?.changed ?? 0) > CHANGED_MAX;
  return isMoving && (plateau === null || plateau < PLATEAU_MIN) ? 'unstable' : 'recommended';
}
