/** Reasons why a tournament has no winner, and `winner` if it has one. */
export const tournamentVerdicts = [
  'winner',
  'baseline_in_set',
  'baseline_best',
  'tie',
  'not_significant',
  'void',
] as const;
export type TournamentVerdict = (typeof tournamentVerdicts)[number];

/** The figures of an entry that the verdict depends on. */
export type Contender = {
  meanLoss: number;
  isBaseline: boolean;
  /** Whether the entry is in the model confidence set. */
  isInSet: boolean;
  /** The p-value against the baseline, adjusted by Holm; null without a test, as for the baseline itself. */
  pAgainstBaseline: number | null;
};

/** The level at which the winner must differ from the baseline. */
export const SIGNIFICANCE = 0.05;

/**
 * Returns the verdict of a tournament and the index of the winner. The winner is the only member of the model
 * confidence set, is not the baseline, and differs from the baseline at `SIGNIFICANCE`. Without a winner, the first of
 * these reasons applies:
 *
 * - `tie`: the baseline shares the smallest mean loss with another entry.
 * - `baseline_best`: the baseline has the smallest mean loss.
 * - `baseline_in_set`: the baseline is in the set.
 * - `tie`: several entries are in the set.
 * - `not_significant`: one entry is in the set, but does not differ from the baseline.
 */
export function tournamentVerdict(contenders: readonly Contender[]): {
  winner: number | null;
  verdict: Exclude<TournamentVerdict, 'void'>;
} {
  const members = contenders.filter(({ isInSet }) => isInSet);
  const [only] = members;
  if (only && members.length === 1 && !only.isBaseline) {
    const isSignificant = only.pAgainstBaseline !== null && only.pAgainstBaseline < SIGNIFICANCE;
    return isSignificant
      ? { winner: contenders.indexOf(only), verdict: 'winner' }
      : { winner: null, verdict: 'not_significant' };
  }
  let smallest = Infinity;
  for (const { meanLoss } of contenders) smallest = Math.min(smallest, meanLoss);
  const best = contenders.filter(({ meanLoss }) => meanLoss === smallest);
  if (best.some(({ isBaseline }) => isBaseline))
    return { winner: null, verdict: best.length > 1 ? 'tie' : 'baseline_best' };
  if (members.some(({ isBaseline }) => isBaseline)) return { winner: null, verdict: 'baseline_in_set' };
  return { winner: null, verdict: 'tie' };
}
