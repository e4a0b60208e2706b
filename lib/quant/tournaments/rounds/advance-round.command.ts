import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import { defineCommand, placeOf, type Entry } from '#lib/governance/command.ts';
import { findRun } from '#lib/pipeline/run.write.ts';
import { submitRun } from '#lib/pipeline/submit-run.command.ts';
import type { TournamentInput } from '../tournament-input.schema.ts';
import { liveStanding } from './live-standing.ts';
import { newestStanding } from './newest-standing.ts';
import { daysAhead, nextLook, roundFacts, type Sealed } from './round-facts.query.ts';
import { decideRound, liveState } from './tournament-round.ts';
import { TournamentRound } from './tournament-round.entity.ts';
import { roundsOf, type RoundKey } from './tournament-rounds.query.ts';
import { tournamentRoundsRun } from './tournament-rounds.run.ts';

const ops = {
  open: 'tournament_round.opened',
  seal: 'tournament_round.closed',
  resolve: 'tournament_round.resolved',
  void: 'tournament_round.voided',
} as const;

/**
 * Carries out the next step of a live round: opens the round, submits the run that seals its forecasts, postpones the
 * next check, or ends the round as resolved or void.
 */
export const advanceRound = defineCommand<RoundKey>()({
  find: async (em, { tournament, round }) =>
    placeOf(await em.findOne(TournamentRound, { tournamentUid: tournament, round }, { filters: false })),
  unknown: 'round_unknown',
  lock: (em, { tournament, round }) =>
    em.findOneOrFail(
      TournamentRound,
      { tournamentUid: tournament, round },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    ),
  facts: (em, row, _input, { now }) => roundFacts(em, row, now),
  decide: (facts, _input, { now }) => decideRound(facts, now),
  async write(em, facts, verdict, { now }) {
    const { row, score, sealed, application } = facts;
    if (score) row.score = score;
    switch (verdict.next) {
      case 'open':
        row.state = 'open';
        row.lookAt = row.closesAt;
        return { result: row };
      case 'seal': {
        const request = { tournament_uid: row.tournamentUid, round: row.round };
        const requestId = row.tournamentUid;
        const circumstances = { application, requestId, now, admission: 'later' } as const;
        row.runUid = (await submitRun(em, tournamentRoundsRun, request, circumstances)).uid;
        row.state = 'scoring';
        row.lookAt = now;
        return { result: row };
      }
      case 'wait':
        row.lookAt = nextLook(facts, now);
        return { result: row };
      case 'void':
        row.reason = verdict.reason;
        return { result: row, consequences: await end(em, row, 'void', { now, sealed: null }) };
      case 'resolve':
        return { result: row, consequences: await end(em, row, 'resolved', { now, sealed }) };
    }
  },
  entry({ row }, verdict) {
    if (verdict.next === 'wait') return undefined;
    const reason = verdict.next === 'void' ? { reason: verdict.reason } : {};
    const details = { round: row.round, ...(row.runUid && { run_uid: row.runUid }), ...reason };
    return { op: ops[verdict.next], subject: { type: 'model_tournament', uid: row.tournamentUid }, details };
  },
  refusals: { round_unknown: 'The round does not exist.' },
});

/**
 * Ends a round, and compares the entries over all scored rounds. After the last round, returns the audit entry for the
 * end of the tournament.
 */
async function end(
  em: Em,
  row: TournamentRound,
  state: 'resolved' | 'void',
  { now, sealed }: { now: Date; sealed: Sealed | null },
): Promise<Entry[]> {
  Object.assign(row, { state, endedAt: now, lookAt: null });
  const rounds = await roundsOf(em, row.tournamentUid);
  if (state === 'resolved') {
    const tournament = (await findRun(em, row.tournamentUid))!.run.input as TournamentInput;
    const scored = rounds.flatMap(({ round, state: own, score }) =>
      own === 'resolved' && score ? [{ round, losses: score.losses }] : [],
    );
    const { level, resamples, seed, live } = tournament;
    const ahead = Math.max(...sealed!.result.series.map(daysAhead));
    row.standing = liveStanding(scored, {
      baseline: sealed!.input.baseline,
      overlap: Math.max(1, Math.ceil(ahead / live!.every_days)),
      level,
      resamples,
      seed,
    });
  }
  if (rounds.some((each) => each.endedAt === null)) return [];
  const standing = newestStanding(rounds);
  const details = {
    state: liveState(
      rounds.map((each) => each.state),
      standing,
    ),
    verdict: standing?.verdict ?? 'void',
    winner: standing?.winner ?? null,
  };
  return [
    { op: 'tournament.resolved', subject: { type: 'model_tournament', uid: row.tournamentUid }, details },
  ];
}
