import { parseDecimal, type Fraction } from '#lib/core/decimal.ts';
import { clopperPearson } from '#lib/numerics/distributions/clopper-pearson.ts';
import { medianRank } from '#lib/numerics/nonparametric/median-rank.ts';
import type { Direction, ProofState, Statistic, Verdict } from './proof-states.ts';
import { compareFractions, medianOf, SCALE } from './sorted-values.ts';

/** The share of unmeasured runs above which there is no verdict: one in twenty. */
const UNMEASURED_ONE_IN = 20;

/**
 * A run that has ended: its state, its end, and its measured value as a decimal text; the value is null if nothing was
 * measured.
 */
export type EndedRun = { state: string; endedAt: Date; value: string | null };

export type Judgement = {
  statistic: Statistic;
  target: { value: Fraction; direction: Direction };
  minimumRuns: number;
  /** The window: from the first instant (inclusive) to the second instant (exclusive). */
  window: { from: Date; to: Date };
};

/** An interval of at least 95 %: exact values, or bounds of a share. */
export type Interval = { lower: Fraction; upper: Fraction } | { lower: number; upper: number };

export type JudgedRuns = {
  /** The number of runs that ended in the window. */
  n: number;
  /** The number of runs that were given but did not end in the window. */
  leftOut: number;
  unmeasured: number;
  estimate: Fraction | null;
  interval: Interval | null;
  /** The exact coverage of the interval of a median; null for a share, whose interval covers at least 95 %. */
  coverage: number | null;
  /** Why there is no verdict although the window has ended; null if nothing prevents it. */
  withheld: 'unmeasured_share' | 'too_few_runs' | 'interval_contains_target' | null;
  /** The measured values of the window in ascending order, scaled by 10^8. */
  values: readonly bigint[];
  state: ProofState;
  verdict: Verdict;
};

/**
 * Judges the runs of a workflow against a target. Every run that ended in the window is counted, whatever its final
 * state. The target is met if the whole interval of the statistic reaches it, and not met if the whole interval misses
 * it. Before the end of the window there is no verdict.
 *
 * A median is enclosed by symmetric order statistics, the share of succeeded runs by the interval of Clopper and
 * Pearson. Throws a `RangeError` on a value that is not a decimal text.
 */
export function judgeRuns(judgement: Judgement, runs: readonly EndedRun[], now: Date): JudgedRuns {
  const { statistic, window } = judgement;
  const inWindow = runs.filter(({ endedAt }) => endedAt >= window.from && endedAt < window.to);
  const n = inWindow.length;
  const values = inWindow
    .flatMap(({ value }) => (value === null ? [] : [scaled(value)]))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const isShare = statistic === 'share_succeeded';
  const unmeasured = isShare ? 0 : n - values.length;
  const measured = isShare
    ? shareOf(inWindow.filter(({ state }) => state === 'succeeded').length, n)
    : medianWithin(values);
  const found = { n, leftOut: runs.length - n, unmeasured, values, ...measured };
  if (now < window.to) {
    return { ...found, withheld: null, state: 'collecting', verdict: 'insufficient_evidence' };
  }
  const { verdict, withheld } = verdictOf(judgement, found);
  return { ...found, withheld, state: verdict, verdict };
}

type Measured = Pick<JudgedRuns, 'estimate' | 'interval' | 'coverage'>;

function medianWithin(values: readonly bigint[]): Measured {
  const found = medianRank(values.length);
  return {
    estimate: medianOf(values),
    interval: found && {
      lower: { numerator: values[found.rank - 1]!, denominator: SCALE },
      upper: { numerator: values[values.length - found.rank]!, denominator: SCALE },
    },
    coverage: found && found.coverage,
  };
}

function shareOf(succeeded: number, n: number): Measured {
  return {
    estimate: n === 0 ? null : { numerator: BigInt(succeeded), denominator: BigInt(n) },
    interval: n === 0 ? null : clopperPearson(succeeded, n),
    coverage: null,
  };
}

function verdictOf(
  { minimumRuns, target }: Judgement,
  { n, unmeasured, interval }: Pick<JudgedRuns, 'n' | 'unmeasured' | 'interval'>,
): Pick<JudgedRuns, 'verdict' | 'withheld'> {
  const insufficient = 'insufficient_evidence';
  if (unmeasured * UNMEASURED_ONE_IN > n) return { verdict: insufficient, withheld: 'unmeasured_share' };
  if (n < minimumRuns || interval === null) return { verdict: insufficient, withheld: 'too_few_runs' };
  const [near, far] =
    target.direction === 'decrease' ? [interval.lower, interval.upper] : [interval.upper, interval.lower];
  if (reaches(far, target)) return { verdict: 'met', withheld: null };
  if (!reaches(near, target)) return { verdict: 'not_met', withheld: null };
  return { verdict: insufficient, withheld: 'interval_contains_target' };
}

/** Whether a value is at the target or beyond it. */
function reaches(value: Fraction | number, { value: target, direction }: Judgement['target']): boolean {
  const order =
    typeof value === 'number'
      ? value - Number(target.numerator) / Number(target.denominator)
      : compareFractions(value, target);
  return direction === 'decrease' ? order <= 0 : order >= 0;
}

function scaled(text: string): bigint {
  const value = parseDecimal(text);
  if (value === undefined) throw new RangeError(`not a decimal: ${JSON.stringify(text)}`);
  return value;
}
