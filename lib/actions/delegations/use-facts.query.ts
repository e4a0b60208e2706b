import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
import { Obligation } from '../obligations/obligation.entity.ts';
import type { AuthorizeFacts, Envelope } from './authorize.ts';
import type { Delegation } from './delegation.entity.ts';
import { isStillSigned, type SignedVote } from './signed-vote.ts';
import { signedVotesOf } from './signed-votes.query.ts';
import { Reservation } from './reservation.entity.ts';

/** The action that a machine wants to execute under a delegation. */
export type Use = {
  /** The uid of the delegation. */
  uid: string;
  envelope: Envelope;
  /** The machine's own reference for the action. A repeated reference means the same action. */
  reference: string;
};

type UseContext = {
  facts: Omit<AuthorizeFacts, 'use'>;
  identity: { uid: string; activeAt: Date };
  /** Whether a reservation with this reference exists. */
  isKnown: boolean;
};

type Row = {
  known: boolean;
  identity_state: string;
  identity_active: string;
  frozen: boolean;
  supported: boolean;
  current: boolean;
  signed: SignedVote[] | null;
};

/** Reads the facts that determine whether a locked delegation covers a use, regardless of its budgets. */
export async function readUseContext(
  em: Em,
  { identityUid, state, terms, activatedAt }: Delegation,
  { input, place, now }: { input: Use; place: Tenant; now: Date },
): Promise<UseContext> {
  const { uid, reference, envelope } = input;
  const { rows } = await sql<Row>`
    select i.state as identity_state, i.active_at as identity_active, w.financial_actions = 'frozen' as frozen,
      exists (select from reservation where delegation_uid = ${uid} and reference = ${reference}) as known,
      support_ends(${uid}, ${now}) > ${now} as supported, terms_stand(${uid}) as current,
      (${signedVotesOf(uid)}) as signed
    from governed_record i cross join workspace w
    where i.uid = ${identityUid} and w.uid = ${place.workspace}`.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error(`the identity ${identityUid} of the delegation ${uid} does not exist`);
  return {
    isKnown: row.known,
    identity: { uid: identityUid, activeAt: new Date(row.identity_active) },
    facts: {
      state,
      terms,
      activatedAt: activatedAt ?? null,
      now,
      isIdentityActive: row.identity_state === 'active',
      isSupported: row.supported && (row.signed ?? []).every(isStillSigned),
      isCurrent: row.current,
      isFrozen: row.frozen,
      obligation: await obligationOf(em, place, envelope.obligation_uid),
    },
  };
}

/** Reads the reservation of a reference, locked in share mode until the transaction ends. */
export function readReservation(em: Em, { uid, reference }: Use): Promise<Reservation> {
  return em.findOneOrFail(
    Reservation,
    { delegationUid: uid, reference },
    { filters: false, refresh: true, lockMode: LockMode.PESSIMISTIC_READ },
  );
}

/** Reads the obligation that an envelope names, locked in share mode until the transaction ends. */
async function obligationOf(
  em: Em,
  tenant: Tenant,
  uid: string | null,
): Promise<AuthorizeFacts['obligation']> {
  if (uid === null) return null;
  const found = await em.findOne(
    Obligation,
    { uid, workspaceUid: tenant.workspace, environment: tenant.environment },
    { filters: false, refresh: true, lockMode: LockMode.PESSIMISTIC_READ },
  );
  if (!found) return 'unknown';
  const { governanceState: state, counterpartyId: counterparty_id, currency, content } = found;
  return { state, type: content.obligation_type, counterparty_id, currency };
}
