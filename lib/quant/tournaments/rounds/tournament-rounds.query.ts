import { sql } from 'kysely';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import { TournamentRound } from './tournament-round.entity.ts';
import type { LivePlan } from './live-plan.schema.ts';

/** The tournament of a round, and the number of the round. */
export type RoundKey = { tournament: string; round: number };

const HOUR_MS = 3_600_000;

/** Writes the rounds of a tournament that was just sealed. The first round opens now. */
export function planRounds(
  em: Em,
  tournament: string,
  { rounds, every_days, open_hours }: LivePlan,
  now: Date,
): void {
  const { workspace, environment } = tenantOf(em);
  for (let round = 1; round <= rounds; round += 1) {
    const opensAt = new Date(now.getTime() + (round - 1) * every_days * 24 * HOUR_MS);
    em.create(TournamentRound, {
      tournamentUid: tournament,
      round,
      workspaceUid: workspace,
      environment,
      state: 'planned',
      opensAt,
      closesAt: new Date(opensAt.getTime() + open_hours * HOUR_MS),
      lookAt: opensAt,
      runUid: null,
      reason: null,
      score: null,
      standing: null,
      endedAt: null,
    });
  }
}

/** Returns the rounds of a tournament of the tenant, in order. */
export function roundsOf(em: Em, tournament: string): Promise<TournamentRound[]> {
  return em.find(TournamentRound, { tournamentUid: tournament }, { orderBy: { round: 'asc' } });
}

/** Returns the tenants with rounds that are due for a step. */
export async function tenantsWithDueRounds(em: Em, now: Date): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select distinct workspace_uid as workspace, environment from tournament_round where look_at <= ${now} order by 1, 2
  `.execute(em.getKysely());
  return rows;
}

/** Returns the rounds of the tenant that are due for a step, longest waiting first. */
export async function dueRounds(em: Em, { now, limit }: { now: Date; limit: number }): Promise<RoundKey[]> {
  const due = await em.find(
    TournamentRound,
    { lookAt: { $lte: now } },
    { orderBy: { lookAt: 'asc', tournamentUid: 'asc', round: 'asc' }, limit },
  );
  return due.map(({ tournamentUid: tournament, round }) => ({ tournament, round }));
}
