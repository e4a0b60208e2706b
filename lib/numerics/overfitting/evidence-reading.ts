/** The figures that a reading depends on. A figure that could not be computed is null. */
export type Evidence = {
  /** Number of returns. */
  observations: number;
  /** Minimum track record length against a ratio of 0. Null if the ratio is not above 0. */
  minimumTrackRecord: number | null;
  /** Deflated Sharpe ratio: a probability. With one trial it is the probabilistic Sharpe ratio against 0. */
  deflated: number | null;
  /** Probability of backtest overfitting. Null if there was no choice between trials. */
  pbo: number | null;
};

export const evidenceReadings = [
  'holds',
  'chosen_by_luck_within_a_good_family',
  'luck',
  'too_short',
] as const;
export type EvidenceReading = (typeof evidenceReadings)[number];

const DEFLATED_MIN = 0.95;
const PBO_MAX = 0.5;

/**
 * Returns the reading of the evidence for a Sharpe ratio. The first rule that applies determines the reading:
 *
 * 1. `too_short`: the deflated ratio is null (fewer than two returns, or returns that do not vary), or the history is
 *    shorter than the minimum track record length, if there is one. Such a ratio is above 0, but not significantly so
 *    even for a single trial.
 * 2. `luck`: the deflated ratio is below 0.95. The best of the same number of trials without skill could reach this
 *    ratio. A ratio of 0 or below also has this reading.
 * 3. `chosen_by_luck_within_a_good_family`: the probability of backtest overfitting is above 0.5. The family is better
 *    than luck, but the best trial of the past tends to be at or below the median afterwards.
 * 4. `holds`: otherwise, also if there was no choice between trials.
 *
 * The minimum track record length must be computed at the level 0.95. NaN counts as null. Thresholds: Bailey and
 * Lopez de Prado, "The Deflated Sharpe Ratio" (2014); Bailey et al., "The Probability of Backtest Overfitting" (2017).
 *
 * Example: 1,006 returns, minimum 415.4, deflated 0.985 and PBO 0.63 give the reading
 * `chosen_by_luck_within_a_good_family`.
 */
export function evidenceReading({
  observations,
  minimumTrackRecord,
  deflated,
  pbo,
}: Evidence): EvidenceReading {
  if (deflated === null || Number.isNaN(deflated)) return 'too_short';
  if (minimumTrackRecord !== null && observations < minimumTrackRecord) return 'too_short';
  if (deflated < DEFLATED_MIN) return 'luck';
  return pbo !== null && pbo > PBO_MAX ? 'chosen_by_luck_within_a_good_family' : 'holds';
}
