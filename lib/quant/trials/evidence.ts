import type { Static } from 'typebox';
import { backtestOverfitting } from '#lib/numerics/overfitting/backtest-overfitting.ts';
import { deflatedSharpe } from '#lib/numerics/overfitting/deflated-sharpe.ts';
import { evidenceReading, type EvidenceReading } from '#lib/numerics/overfitting/evidence-reading.ts';
import { minimumTrackRecord } from '#lib/numerics/overfitting/minimum-track-record.ts';
import { probabilisticSharpe } from '#lib/numerics/risk/probabilistic-sharpe.ts';
import { sharpeSpread } from '#lib/numerics/risk/sharpe-spread.ts';
import type { Evidence } from './evidence.schema.ts';
import type { TrialCount } from './trial.ts';

const LEVEL = 0.95;

export type EvidenceInput = {
  /** Returns of the chosen strategy. */
  returns: Float64Array;
  /**
   * Sharpe ratio per session of every trial of the run, including the chosen trial; null if its returns do not vary.
   */
  sharpes: readonly (number | null)[];
  /** The result of `blockSums` for every trial, and the number of blocks. */
  sums: readonly Float64Array[];
  blocks: number;
  /** Trials of the family before this run. */
  before: TrialCount & { declared: number };
};

/**
 * Returns the evidence on overfitting: the probability that the Sharpe ratio is above 0, the minimum track record, the
 * Sharpe ratio deflated by all trials of the family, and the probability of backtest overfitting over the trials of
 * this run. Ratios are per session.
 *
 * The standard deviation of the ratios of all trials is estimated from the known ratios. With fewer than two known
 * ratios but further trials, the standard error of the ratio is used instead, under the assumption that the trials are
 * independent estimates of a ratio of 0.
 */
export function evidenceOf({
  returns,
  sharpes,
  sums,
  blocks,
  before,
}: EvidenceInput): Static<typeof Evidence> {
  const used = before.declared + before.counted + sharpes.length;
  const spread = spreadOfRatios(returns, sharpes, before, used);
  const deflated =
    spread.deviation === null
      ? null
      : deflatedSharpe(returns, { riskFree: 0, trials: used, deviation: spread.deviation });
  const record = minimumTrackRecord(returns, { riskFree: 0, target: 0, level: LEVEL });
  const overfitting = overfittingOf(sums, { sessions: returns.length, blocks });
  const reading = evidenceReading({
    observations: returns.length,
    minimumTrackRecord: record,
    deflated: deflated?.probability ?? null,
    pbo: overfitting?.pbo ?? null,
  });
  return {
    probabilistic_sharpe: probabilisticSharpe(returns, { riskFree: 0, target: 0 }),
    min_track_record: record,
    trials: {
      declared: before.declared,
      counted: before.counted,
      own: sharpes.length,
      used,
      sharpes: [...sharpes],
      sharpe_sd: spread.deviation,
      sd_basis: spread.basis,
    },
    expected_maximum: deflated?.benchmark ?? null,
    deflated_sharpe: deflated?.probability ?? null,
    overfitting,
    reading,
    text: TEXTS[reading],
  };
}

const TEXTS: Readonly<Record<EvidenceReading, string>> = {
  holds: 'The Sharpe ratio remains above 0 after deflation by all trials of the family.',
  chosen_by_luck_within_a_good_family:
    'The family of strategies works, but the best member in the past does not exceed the median member later.',
  luck: 'The Sharpe ratio is not above the ratio that the best of the same number of trials without skill could reach.',
  too_short: 'The history is too short to distinguish the Sharpe ratio from 0.',
};

type Spread = { deviation: number | null; basis: 'trials' | 'asymptotic' | 'single_trial' };

function spreadOfRatios(
  returns: Float64Array,
  sharpes: readonly (number | null)[],
  before: TrialCount,
  used: number,
): Spread {
  if (used === 1) return { deviation: 0, basis: 'single_trial' };
  const own = sharpes.filter((ratio) => ratio !== null);
  const n = before.measured + own.length;
  if (n >= 2) {
    const sum = own.reduce((total, ratio) => total + ratio, before.sharpe_sum);
    const squares = own.reduce((total, ratio) => total + ratio * ratio, before.sharpe_square_sum);
    return { deviation: Math.sqrt(Math.max(0, (squares - (sum * sum) / n) / (n - 1))), basis: 'trials' };
  }
  const estimate = sharpeSpread(returns, 0);
  return {
    deviation: estimate && Math.sqrt(estimate.spread / (returns.length - 1)),
    basis: 'asymptotic',
  };
}

function overfittingOf(
  sums: readonly Float64Array[],
  { sessions, blocks }: { sessions: number; blocks: number },
): Static<typeof Evidence>['overfitting'] {
  if (sums.length < 2) return null;
  const rows = Math.floor(sessions / blocks);
  const found = backtestOverfitting(sums, { blocks, rows });
  if (!found.ok) return null;
  return {
    blocks,
    combinations: found.combinations,
    trials: sums.length,
    rows_dropped: sessions - rows * blocks,
    pbo: found.pbo,
    probability_of_loss: found.probabilityOfLoss,
    degradation_slope: found.degradation?.slope ?? null,
    degradation_r2: found.degradation?.r2 ?? null,
    logit_median: found.logitQuantiles.find(({ level }) => level === 0.5)!.value,
  };
}
