import { blockLength, circularResamples } from '#lib/numerics/comparison/circular-resamples.ts';
import { compareLosses, type DieboldMariano } from '#lib/numerics/comparison/diebold-mariano.ts';
import { modelConfidenceSet } from '#lib/numerics/comparison/model-confidence-set.ts';
import { averageRanks } from '#lib/numerics/average-ranks.ts';
import { mean } from '#lib/numerics/descriptive.ts';
import { adjustedP } from '#lib/numerics/multiple-testing.ts';
import { tournamentVerdict, type TournamentVerdict } from './tournament-verdict.ts';

export type RankingOptions = {
  /** Index of the baseline in the losses. */
  baseline: number;
  /** Number of consecutive losses that overlap, 1 or more: the horizon over the step of the origins, rounded up. */
  overlap: number;
  /** Confidence level of the model confidence set, such as 0.9. */
  level: number;
  resamples: number;
  seed: number;
};

/** A test of equal accuracy. `p` and `statistic` are null, with a reason, if no test is possible. */
export type LossTest = {
  statistic: number | null;
  p: number | null;
  /** The p-value adjusted by Holm over the tests against the same entry. */
  pHolm: number | null;
  reason: 'equal_losses' | 'zero_variance' | 'too_few' | null;
};

export type RankedEntry = {
  meanLoss: number;
  /** 1 minus the ratio of the mean loss to the mean loss of the baseline; null if the baseline has no loss above 0. */
  skill: number | null;
  /** Rank of the mean loss, 1 for the smallest; equal losses share their mean rank. */
  rank: number;
  isInSet: boolean;
  setP: number;
  /** Null for the best entry. */
  againstBest: LossTest | null;
  /** Null for the baseline. */
  againstBaseline: LossTest | null;
};

export type Ranking = {
  entries: RankedEntry[];
  best: number;
  block: number;
  winner: number | null;
  verdict: Exclude<TournamentVerdict, 'void'>;
  /** Indices of the entries that are in the model confidence set. */
  leaders: number[];
};

/**
 * Compares the losses of entries: mean losses, tests of Diebold and Mariano against the best entry and the baseline,
 * the model confidence set, and the verdict.
 *
 * Shapes: `losses` has a row of n losses for each of two or more entries, all on the same observations in order of
 * time. The best entry has the smallest mean loss; of equal means, the first. Source: see `compareLosses`,
 * `modelConfidenceSet`, `adjustedP` and `tournamentVerdict`.
 */
export function rankEntries(losses: readonly Float64Array[], options: RankingOptions): Ranking {
  const { baseline, overlap, level, resamples, seed } = options;
  const n = losses[0]!.length;
  const means = losses.map((row) => mean(row));
  const best = means.indexOf(smallestOf(means));
  const block = blockLength(n, overlap);
  const steps = modelConfidenceSet(losses, circularResamples(n, { block, resamples, seed }));
  const setP = losses.map((_, entry) => steps.find(({ model }) => model === entry)!.setP);
  const [againstBest, againstBaseline] = [best, baseline].map((rival) =>
    testsAgainst(losses, rival, overlap),
  );
  const ranks = averageRanks(means);
  const entries = losses.map((_, at) => ({
    meanLoss: means[at]!,
    skill: means[baseline]! > 0 ? 1 - means[at]! / means[baseline]! : null,
    rank: ranks[at]!,
    isInSet: setP[at]! > 1 - level,
    setP: setP[at]!,
    againstBest: againstBest![at]!,
    againstBaseline: againstBaseline![at]!,
  }));
  const { winner, verdict } = tournamentVerdict(
    entries.map(({ meanLoss, isInSet, againstBaseline: test }, at) => ({
      meanLoss,
      isInSet,
      isBaseline: at === baseline,
      pAgainstBaseline: test?.pHolm ?? null,
    })),
  );
  const leaders = entries.flatMap(({ isInSet }, at) => (isInSet ? [at] : []));
  return { entries, best, block, winner, verdict, leaders };
}

/**
 * Returns the test of each entry against a rival, with p-values adjusted by Holm. The element of the rival itself is
 * null.
 */
function testsAgainst(losses: readonly Float64Array[], rival: number, overlap: number): (LossTest | null)[] {
  const options = { horizon: overlap, variance: 'acf', alternative: 'two.sided' } as const;
  const tests = losses.map((row, at) => (at === rival ? null : compareLosses(row, losses[rival]!, options)));
  const adjusted = adjustedP(
    tests.map((test) => (test?.ok ? test.p : Number.NaN)),
    'holm',
  );
  return tests.map((test, at) => test && lossTest(test, adjusted[at]!));
}

function lossTest(test: DieboldMariano, pHolm: number): LossTest {
  if (!test.ok) return { statistic: null, p: null, pHolm: null, reason: test.reason };
  return { statistic: test.statistic, p: test.p, pHolm, reason: null };
}

function smallestOf(values: readonly number[]): number {
  let smallest = Infinity;
  for (const value of values) smallest = Math.min(smallest, value);
  return smallest;
}
