import { addDays } from '#lib/core/date.ts';
import { instantOf, utcDate } from '#lib/core/clock.ts';
import { applicationFacts } from '#lib/access/application-facts.query.ts';
import type { Em } from '#lib/database/base.ts';
import { readPeriod } from '#lib/data/period.ts';
import { applicationOfRun } from '#lib/pipeline/run-record.query.ts';
import { findRun, type FoundRun } from '#lib/pipeline/run.write.ts';
import { ROUND_LIMITS } from './live-plan.schema.ts';
import { observedValues } from './observed-values.query.ts';
import { scoreRound } from './score-round.ts';
import type { RoundFacts } from './tournament-round.ts';
import type { TournamentRound } from './tournament-round.entity.ts';
import type { RoundForecasts, RoundInput, RoundResult } from './tournament-round.schema.ts';
import { tournamentRoundsRun } from './tournament-rounds.run.ts';

/** The sealed forecasts of a round. */
export type Sealed = {
  input: RoundInput;
  result: RoundResult;
  series: RoundResult['series'];
  forecasts: RoundForecasts['forecasts'];
};

/** The facts, with the row, the application of the tournament and the sealed forecasts. */
export type FoundFacts = RoundFacts & { row: TournamentRound; application: string; sealed: Sealed | null };

/** Minutes until the next check of a run that has not ended, or of a round that cannot be sealed yet. */
const RETRY_MINUTES = 5;

/** Reads the facts on which the next step of a round depends. */
export async function roundFacts(em: Em, row: TournamentRound, now: Date): Promise<FoundFacts> {
  const application = await applicationOfRun(em, row.tournamentUid);
  const rights = await applicationFacts(em, application, [tournamentRoundsRun.scope]);
  const mayRun = rights.isApplicationActive && rights.hasPlaceAccess && rights.missingScopes.length === 0;
  const { state, opensAt, closesAt, runUid } = row;
  const found = state === 'scoring' ? await findRun(em, runUid!, ['forecasts']) : undefined;
  const sealed = found?.result ? sealedOf(found) : null;
  const score =
    sealed && scoreRound(sealed.input, sealed, await observedValues(em, sealed.result.series, now));
  return {
    row,
    application,
    sealed,
    state,
    opensAt,
    closesAt,
    mayRun,
    run: found ? runState(found) : null,
    score,
    isExpired:
      sealed !== null && addDays(lastDay(sealed, closesAt), ROUND_LIMITS.patienceDays) < utcDate(now),
  };
}

function sealedOf({ run, result }: FoundRun): Sealed {
  // The members were checked against the declaration of the run before they were sealed.
  const { result: own } = result!.members as { result: RoundResult };
  const { forecasts } = (result!.attachments as { forecasts: RoundForecasts }).forecasts;
  return { input: run.input as RoundInput, result: own, series: own.series, forecasts };
}

function runState({ run }: FoundRun): 'open' | 'sealed' | 'failed' {
  if (run.state === 'succeeded') return 'sealed';
  return run.state === 'failed' || run.state === 'cancelled' ? 'failed' : 'open';
}

function lastDay({ result }: Sealed, closesAt: Date): string {
  const days = result.series.flatMap(({ periods }) =>
    periods.slice(-1).map((name) => readPeriod(name)!.lastDay),
  );
  return [...days, utcDate(closesAt)].sort().at(-1)!;
}

/** Returns the time of the next check of a round that waits: for its opening, its close, its run, or values. */
export function nextLook({ state, opensAt, closesAt, run }: RoundFacts, now: Date): Date {
  if (state === 'planned') return opensAt;
  if (state === 'open' && now < closesAt) return closesAt;
  if (state === 'open' || run === 'open') return new Date(now.getTime() + RETRY_MINUTES * 60_000);
  return instantOf(`${addDays(utcDate(now), 1)}T00:00:00Z`);
}

/** Returns the days from the origin of a series to the last period that is forecast. */
export function daysAhead({ origin, periods }: RoundResult['series'][number]): number {
  const last = periods.at(-1);
  if (origin === null || last === undefined) return 0;
  const [from, to] = [origin, last].map((name) => Date.parse(readPeriod(name)!.lastDay)) as [number, number];
  return (to - from) / 86_400_000;
}
