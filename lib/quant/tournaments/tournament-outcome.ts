import { canonicalHash } from '#lib/core/seal.ts';
import { compareRanks, type RankComparison } from '#lib/numerics/comparison/friedman.ts';
import {
  collectLosses,
  type CollectedLosses,
  type Disqualification,
  type ScoredOrigin,
} from './collect-losses.ts';
import { comparedLosses, type ComparedLosses } from './compared-losses.ts';
import { enteredIn, type Entered } from './entered.ts';
import { rankEntries, type LossTest, type Ranking } from './rank-entries.ts';
import { SIGNIFICANCE } from './tournament-verdict.ts';
import { describeSeries } from './describe-series.ts';
import { tooFew } from './tournament-refusals.ts';
import type { ResolvedEntry, TournamentInput } from './tournament-input.schema.ts';
import { OBSERVATIONS_NEEDED } from './tournament-limits.ts';
import type { TournamentLosses, TournamentResult } from './tournament-result.schema.ts';
import type { TournamentData } from './tournament-series.ts';

/**
 * Returns the outcome of a tournament from the numbers of all parts. The losses are hashed before any rank is computed.
 * Entries that failed at an origin are not compared.
 */
export function tournamentOutcome(input: TournamentInput, data: TournamentData, numbers: Float64Array) {
  const entered = enteredIn(input, data);
  const collected = collectLosses(input, data, { numbers, entries: entered.entries });
  return rankedOutcome(input, {
    entered,
    collected,
    losses: lossTable(collected, entered.entries),
    refused: (few) => tooFew(data.series, few),
    describe: () => describeSeries(data, collected.origins),
    targetOf: (series) => data.series[series]!.metric,
  });
}

export type ToRank<Reason extends string> = {
  entered: Entered;
  collected: { origins: readonly ScoredOrigin[]; disqualified: readonly Disqualification<Reason>[] };
  losses: TournamentLosses;
  refused(few: { compared: ComparedLosses; count: number }): ReturnType<typeof tooFew>;
  describe(): TournamentResult['series'];
  targetOf(series: number): string;
};

/** Ranks the entries of a tournament by their losses, or refuses losses at too few origins. */
export function rankedOutcome<Reason extends TournamentResult['disqualified'][number]['reason']>(
  input: TournamentInput,
  { entered, collected, losses, refused, describe, targetOf }: ToRank<Reason>,
) {
  const hash = canonicalHash(losses);
  const failed = new Set(collected.disqualified.map(({ entry }) => entry));
  const places = entered.entries.flatMap((_, at) => (failed.has(at) ? [] : [at]));
  const compared = comparedLosses(collected.origins, places);
  const count = compared.losses[0]?.length ?? 0;
  if (places.length > 0 && count < OBSERVATIONS_NEEDED) return refused({ compared, count });
  const series = describe();
  const overlap = compared.kind === 'series' ? 1 : Math.ceil(input.horizon / input.step);
  const result: TournamentResult = {
    ...(places.length < 2 || failed.has(entered.baseline)
      ? noRanking
      : rankedMembers(input, { entered, places, compared, overlap })),
    baseline: entered.entries[entered.baseline]!.name,
    entries: entered.entries,
    losses_sha256: hash,
    observations: { kind: compared.kind, count, origins: collected.origins.length, overlap },
    disqualified: collected.disqualified.map(({ entry, series: place, origin, reason }) => ({
      entry: entered.entries[entry]!.name,
      metric: targetOf(place),
      origin,
      reason,
    })),
    series,
  };
  const hashes = series.map(({ observations_sha256: own }) => own);
  return {
    ok: true as const,
    output: { input_data: { series_sha256: canonicalHash(hashes) }, result },
    attachments: { losses },
  };
}

const noRanking = {
  state: 'void',
  winner: null,
  verdict: 'void',
  leaders: [],
  leaderboard: [],
  confidence_set: null,
  ranks: null,
} satisfies Partial<TournamentResult>;

/** Returns the losses of all entries with their hashes. */
export function lossTable(
  { origins }: Pick<CollectedLosses, 'origins'>,
  entries: readonly ResolvedEntry[],
): TournamentLosses {
  return {
    series: origins.map(({ series }) => series),
    origin: origins.map(({ period }) => period),
    losses: entries.map(({ name }, at) => {
      const values = origins.map(({ losses }) => losses[at]!);
      return { entry: name, sha256: canonicalHash(values), values };
    }),
  };
}

type Compared = { entered: Entered; places: number[]; compared: ComparedLosses; overlap: number };

function rankedMembers(
  { level, loss, resamples, seed }: TournamentInput,
  { entered, places, compared, overlap }: Compared,
) {
  const baseline = places.indexOf(entered.baseline);
  const ranking = rankEntries(compared.losses, { baseline, overlap, level, resamples, seed });
  const ranks = compared.bySeries.length > 0 ? compareRanks(compared.bySeries, SIGNIFICANCE) : null;
  const names = places.map((place) => entered.entries[place]!.name);
  return {
    state: 'resolved' as const,
    winner: ranking.winner === null ? null : names[ranking.winner]!,
    verdict: ranking.verdict,
    leaders: ranking.leaders.map((at) => names[at]!),
    leaderboard: leaderboard(ranking, { names, baseline, ranks, hasSkill: loss !== 'sharpe' }),
    confidence_set: { level, resamples, block: ranking.block },
    ranks: ranks && {
      series: compared.bySeries[0]!.length,
      friedman: ranks.friedman && {
        statistic: ranks.friedman.statistic,
        degrees: ranks.friedman.degrees,
        p: ranks.friedman.p,
        f: ranks.friedman.f,
        f_p: ranks.friedman.fP,
      },
      critical_distance: ranks.criticalDistance,
    },
  };
}

function leaderboard(
  { entries }: Ranking,
  {
    names,
    baseline,
    ranks,
    hasSkill,
  }: { names: string[]; baseline: number; ranks: RankComparison | null; hasSkill: boolean },
): TournamentResult['leaderboard'] {
  return entries
    .map((each, at) => ({
      entry: names[at]!,
      is_baseline: at === baseline,
      rank: each.rank,
      mean_loss: each.meanLoss,
      skill: hasSkill ? each.skill : null,
      in_set: each.isInSet,
      set_p: each.setP,
      against_best: test(each.againstBest),
      against_baseline: test(each.againstBaseline),
      average_rank: ranks?.ranks[at] ?? null,
      rank_p: ranks?.againstBest[at] ?? null,
    }))
    .sort((one, other) => one.rank - other.rank);
}

function test(of: LossTest | null) {
  return of && { statistic: of.statistic, p: of.p, p_holm: of.pHolm, reason: of.reason };
}
