import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
import { Obligation } from '../obligations/obligation.entity.ts';
import type { AuthorizeFacts, Envelope } from './authorize.ts';
import type { Delegation } from './delegation.entity.ts';
import { Reservation } from './reservation.entity.ts';

/** What a machine wants to do under a delegation. */
export type Use = {
  /** The delegation. */
  uid: string;
  envelope: Envelope;
  /** The machine's own word for the action; the same word again is the same action. */
  reference: string;
};

type UseContext = {
  facts: Omit<AuthorizeFacts, 'use'>;
  identity: { uid: string; activeAt: Date };
  /** Whether there is a reservation of this reference. */
  isKnown: boolean;
};

type Row = {
  known: boolean;
  identity_state: string;
  identity_active: string;
  frozen: boolean;
  supported: boolean;
  current: boolean;
};

/** Reads what decides whether a delegation that is locked covers a use, whatever its budgets are. */
export async function readUseContext(
  em: Em,
  { identityUid, state, terms, activatedAt }: Delegation,
  { input, place, now }: { input: Use; place: Tenant; now: Date },
): Promise<UseContext> {
  const { uid, reference, envelope } = input;
  const { rows } = await sql<Row>`
    select i.state as identity_state, i.active_at as identity_active, w.financial_actions = 'frozen' as frozen,
      exists (select from reservation where delegation_uid = ${uid} and reference = ${reference}) as known,
      support_ends(${uid}, ${now}) > ${now} as supported, terms_stand(${uid}) as current
    from governed_record i cross join workspace w
    where i.uid = ${identityUid} and w.uid = ${place.workspace}`.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error(`the identity ${identityUid} of the delegation ${uid} is not there`);
  return {
    isKnown: row.known,
    identity: { uid: identityUid, activeAt: new Date(row.identity_active) },
    facts: {
      state,
      terms,
      activatedAt: activatedAt ?? null,
      now,
      isIdentityActive: row.identity_state === 'active',
      isSupported: row.supported,
      isCurrent: row.current,
      isFrozen: row.frozen,
      obligation: await obligationOf(em, place, envelope.obligation_uid),
    },
  };
}

/** The reservation of a reference, which stays as it is until the transaction ends. */
export function readReservation(em: Em, { uid, reference }: Use): Promise<Reservation> {
  return em.findOneOrFail(
    Reservation,
    { delegationUid: uid, reference },
    { filters: false, refresh: true, lockMode: LockMode.PESSIMISTIC_READ },
  );
}

/** The obligation that an envelope names, which stays as it is until the transaction ends. */
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
