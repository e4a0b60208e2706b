import { canonicalHash } from '#lib/core/seal.ts';
import { mean } from '#lib/numerics/descriptive.ts';
import { rankEntries } from '../rank-entries.ts';
import { OBSERVATIONS_NEEDED } from '../tournament-limits.ts';
import type { LiveStanding } from './live-verdict.ts';
import type { RoundScore } from './score-round.ts';

export type StandingOptions = {
  baseline: string;
  /** Number of consecutive rounds whose forecasts overlap. */
  overlap: number;
  level: number;
  resamples: number;
  seed: number;
};

/**
 * Compares the entries over scored rounds. A round is one observation. An entry without a loss in a round is
 * disqualified. Below 20 rounds there are mean losses, but no ranks and no winner.
 */
export function liveStanding(
  rounds: readonly { round: number; losses: RoundScore['losses'] }[],
  { baseline, ...options }: StandingOptions,
): LiveStanding {
  const lossesSha256 = canonicalHash(rounds.map(({ round, losses }) => ({ round, losses })));
  const names = rounds[0]?.losses.map(({ entry }) => entry) ?? [];
  const disqualified = names.flatMap((entry, at) => {
    const failed = rounds.find(({ losses }) => losses[at]!.loss === null);
    return failed ? [{ entry, round: failed.round }] : [];
  });
  const out = new Set(disqualified.map(({ entry }) => entry));
  const places = names.flatMap((entry, at) => (out.has(entry) ? [] : [at]));
  const known = { rounds: rounds.length, winner: null, leaders: [], disqualified, lossesSha256 };
  if (places.length < 2 || out.has(baseline)) return { ...known, verdict: 'void', rows: [] };
  const losses = places.map((at) => Float64Array.from(rounds, (round) => round.losses[at]!.loss!));
  const own = places.map((at) => names[at]!);
  const place = own.indexOf(baseline);
  if (rounds.length < OBSERVATIONS_NEEDED) {
    const means = losses.map((row) => mean(row));
    const base = means[place]!;
    const rows = own.map((entry, at) => ({
      entry,
      isBaseline: at === place,
      meanLoss: means[at]!,
      skill: base > 0 ? 1 - means[at]! / base : null,
      ...unranked,
    }));
    return { ...known, verdict: 'too_few_rounds', rows: byLoss(rows) };
  }
  const ranking = rankEntries(losses, { baseline: place, ...options });
  const rows = ranking.entries.map((each, at) => ({
    entry: own[at]!,
    isBaseline: at === place,
    meanLoss: each.meanLoss,
    skill: each.skill,
    rank: each.rank,
    isInSet: each.isInSet,
    pHolm: each.againstBaseline?.pHolm ?? null,
  }));
  return {
    ...known,
    verdict: ranking.verdict,
    winner: ranking.winner === null ? null : own[ranking.winner]!,
    leaders: ranking.leaders.map((at) => own[at]!),
    rows: byLoss(rows),
  };
}

const unranked = { rank: null, isInSet: null, pHolm: null };

function byLoss(rows: LiveStanding['rows']): LiveStanding['rows'] {
  return rows.sort((one, other) => one.meanLoss - other.meanLoss);
}
