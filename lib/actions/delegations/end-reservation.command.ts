import { sql } from 'kysely';
import { canonicalHash } from '#lib/core/seal.ts';
import { defer, untracked, type Em, type Tenant } from '#lib/database/base.ts';
import { defineCommand, type RefusalCode } from '#lib/governance/command.ts';
import { Reservation } from './reservation.entity.ts';
import { releaseAmount } from './windows.write.ts';
import { outcomeRefusal, reservationTransitions, type Outcome, type OutcomeRefusal } from './windows.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';

export type ReservationEnd = { uid: string; outcome: Outcome };

type Verdict = { ok: true } | { ok: false; code: OutcomeRefusal | 'reservation_unknown' };

/**
 * Settles or releases a reservation. The settled amount counts as used, and the rest of the reserved amount
 * is released. A settlement above the reserved amount is refused: the amount stays reserved, and an exception
 * with the reported amount is raised for a person to review. The audit log records each outcome with its
 * hash.
 */
export const endReservation = defineCommand<ReservationEnd>()({
  find: (em, { uid }) => placeOfRecord(em, Reservation, uid),
  unknown: 'reservation_unknown',
  lock: (em, { uid }, place) => lockReservation(em, uid, place),
  facts: async (_em, reservation) => reservation,
  decide(reservation, { outcome }): Verdict {
    if (!reservation) return { ok: false, code: 'reservation_unknown' };
    const { state, amount, offered = null } = reservation;
    const code = outcomeRefusal({ state, amount, offered }, outcome);
    return code ? { ok: false, code } : { ok: true };
  },
  async write(em, found, _verdict, { input: { outcome }, now }) {
    const reservation = found!;
    const settled = settledBy(outcome);
    await change(em, reservation, {
      state: reservationTransitions[outcome.event][reservation.state]!,
      settled,
      evidence: outcome.evidence ?? null,
      endedAt: now,
    });
    // The release locks the rows of the budgets. It is the last step, so that other requests for the same
    // budgets wait only for the commit.
    return { result: reservation, follow: () => releaseAmount(em, reservation, settled ?? 0n) };
  },
  async writeRefusal(em, reservation, { code }, { input: { outcome } }) {
    if (!reservation || code !== 'settled_above_reservation') return undefined;
    const { state, offered = null } = reservation;
    const settled = settledBy(outcome)!;
    await change(em, reservation, {
      exception: code,
      offered: offered !== null && offered > settled ? offered : settled,
      state: state === 'reserved' ? 'stuck' : state,
    });
    return [];
  },
  entry(reservation, _verdict, { uid, outcome }) {
    if (!reservation) return undefined;
    const { event, evidence = null } = outcome;
    return {
      op: `reservation.${event === 'settle' ? 'settled' : 'released'}`,
      subject: { type: 'reservation', uid },
      payloadHash: canonicalHash({ event, settled_minor: settledBy(outcome)?.toString() ?? null, evidence }),
      details: { delegation_uid: reservation.delegationUid },
    };
  },
  refusals: {
    reservation_unknown: 'The reservation does not exist.',
    reservation_ended: 'The reservation has already ended.',
    settled_above_reservation:
      'The settled amount is above the reserved amount. The reservation stays open, and an exception was raised.',
    amount_not_positive: 'The settled amount must be at least 1.',
    full_settlement_required:
      'A settled amount above the reserved amount was reported before. Settle the reservation at its full amount.',
    evidence_required: 'The reservation is stuck. Provide the evidence of its outcome with --evidence.',
  } satisfies Record<RefusalCode<Verdict>, string>,
});

function settledBy(outcome: Outcome): bigint | null {
  return outcome.event === 'settle' ? outcome.actual : null;
}

async function lockReservation(
  em: Em,
  uid: string,
  { workspace, environment }: Tenant,
): Promise<Reservation | undefined> {
  const { rows } = await sql<Record<string, unknown>>`
    select * from reservation where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
    for update`.execute(em.getKysely());
  return rows[0] && untracked(em, Reservation, rows[0]);
}

type Change = Pick<Reservation, 'state'> &
  Partial<Pick<Reservation, 'settled' | 'evidence' | 'endedAt' | 'exception' | 'offered'>>;

/** Changes a locked reservation. */
async function change(em: Em, reservation: Reservation, changes: Change): Promise<void> {
  const { uid, state, settled, evidence, endedAt, exception, offered } = Object.assign(reservation, changes);
  await defer(
    em,
    sql`
      update reservation set state = ${state}, settled = ${settled ?? null}, evidence = ${evidence ?? null},
        ended_at = ${endedAt ?? null}, exception = ${exception ?? null}, offered = ${offered ?? null}
      where uid = ${uid}`,
  );
}
