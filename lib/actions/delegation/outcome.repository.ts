import { LockMode } from '@mikro-orm/core';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { Actor } from '#lib/audit/entry.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { Reservation } from './reservation.entity.ts';
import { giveBack } from './windows.repository.ts';
import {
  outcomeRefusal,
  reservationTransitions,
  type Outcome,
  type OutcomeRefusal,
  type ReservationState,
} from './windows.ts';

export type OutcomeRequest = { uid: string; outcome: Outcome; actor: Actor; now: Date };

export type Ended =
  | { ok: true; reservation: Reservation; from: ReservationState }
  | { ok: false; code: 'reservation_unknown' }
  | { ok: false; code: OutcomeRefusal; reservation: Reservation };

/**
 * Ends a reservation with what was done, in the caller's transaction: what was settled counts as used, the rest is free
 * again. A settlement above the reservation is not taken; it stays reserved, with an exception that a person sees, and
 * with what was told. Each outcome is an entry of the audit log with its hash.
 */
export async function endReservation(em: Em, { uid, outcome, actor, now }: OutcomeRequest): Promise<Ended> {
  const reservation = await em.findOne(
    Reservation,
    { uid },
    { filters: false, refresh: true, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!reservation) return { ok: false, code: 'reservation_unknown' };
  const { state: from, amount, offered = null } = reservation;
  const refused = outcomeRefusal({ state: from, amount, offered }, outcome);
  const settled = outcome.event === 'settle' ? outcome.actual : null;
  const evidence = outcome.evidence ?? null;
  if (refused === 'settled_above_reservation') {
    em.assign(reservation, {
      exception: refused,
      offered: offered !== null && offered > settled! ? offered : settled,
      ...(from === 'reserved' ? { state: 'stuck' } : {}),
    });
  } else if (!refused) {
    const state = reservationTransitions[outcome.event][from]!;
    em.assign(reservation, { state, settled, evidence, endedAt: now });
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
      refused,
      payloadHash: canonicalHash({
        event: outcome.event,
        settled_minor: settled?.toString() ?? null,
        evidence,
      }),
      details: { delegation_uid: reservation.delegationUid },
    },
    { workspace, environment },
  );
  if (refused) return { ok: false, code: refused, reservation };
  // last, so that whoever draws on the same budgets waits for no more than the commit
  await giveBack(em, reservation, settled ?? 0n);
  return { ok: true, reservation, from };
}
