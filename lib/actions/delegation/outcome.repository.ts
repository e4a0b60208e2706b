import { LockMode } from '@mikro-orm/core';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { Actor } from '#lib/audit/entry.ts';
import type { Em } from '#lib/database/orm.ts';
import { Reservation } from './reservation.entity.ts';
import { giveBack } from './windows.repository.ts';
import { reservationTransitions, type ReservationState } from './windows.ts';

export type Outcome = { event: 'settle'; actual: bigint } | { event: 'release' };

export type OutcomeRequest = { uid: string; outcome: Outcome; actor: Actor; now: Date };

export type Ended =
  | { ok: true; reservation: Reservation; from: ReservationState }
  | { ok: false; code: 'reservation_unknown' }
  | {
      ok: false;
      code: 'reservation_ended' | 'settled_above_reservation' | 'amount_not_positive';
      reservation: Reservation;
    };

/**
 * Ends a reservation with what was done, in the caller's transaction: what was settled counts as used, the rest is free
 * again. A settlement above the reservation is not taken; it stays reserved, with an exception that a person sees.
 */
export async function endReservation(em: Em, { uid, outcome, actor, now }: OutcomeRequest): Promise<Ended> {
  const reservation = await em.findOne(
    Reservation,
    { uid },
    { filters: false, refresh: true, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!reservation) return { ok: false, code: 'reservation_unknown' };
  const from = reservation.state;
  const next = reservationTransitions[outcome.event][from];
  if (!next) return { ok: false, code: 'reservation_ended', reservation };
  const settled = outcome.event === 'settle' ? outcome.actual : 0n;
  if (outcome.event === 'settle' && settled < 1n)
    return { ok: false, code: 'amount_not_positive', reservation };
  const isAbove = settled > reservation.amount;
  if (isAbove) {
    em.assign(reservation, {
      exception: 'settled_above_reservation',
      ...(from === 'reserved' ? { state: 'stuck' } : {}),
    });
  } else {
    em.assign(reservation, {
      state: next,
      settled: outcome.event === 'settle' ? settled : null,
      endedAt: now,
    });
  }
  await em.flush();
  const { workspaceUid: workspace, environment } = reservation;
  await appendAudit(
    em,
    {
      at: now,
      op: `reservation.${outcome.event === 'settle' ? 'settled' : 'released'}`,
      actor,
      subject: { type: 'reservation', uid },
      refused: isAbove ? 'settled_above_reservation' : undefined,
      details: { delegation_uid: reservation.delegationUid },
    },
    { workspace, environment },
  );
  // last, so that whoever draws on the same budgets waits for no more than the commit
  if (!isAbove) await giveBack(em, reservation, settled);
  return isAbove
    ? { ok: false, code: 'settled_above_reservation', reservation }
    : { ok: true, reservation, from };
}
