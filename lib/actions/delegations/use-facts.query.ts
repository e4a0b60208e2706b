import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
import { namesInForce, type PolicyName } from '#lib/governance/policy/policies-in-force.query.ts';
import type { AuthorizeFacts, Envelope, ObligationFacts } from './authorize.ts';
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
  /** The names of the policies in force. */
  policies: readonly PolicyName[];
};

type Row = {
  known: boolean;
  identity_state: string;
  identity_active: string;
  frozen: boolean;
  supported: boolean;
  current: boolean;
  signed: SignedVote[] | null;
  obligation: ObligationFacts | null;
  policies: readonly PolicyName[];
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
      (${signedVotesOf(uid)}) as signed,
      ${obligationOf(place, envelope.obligation_uid)} as obligation,
      (${namesInForce(place)}) as policies
    from governed_record i cross join workspace w
    where i.uid = ${identityUid} and w.uid = ${place.workspace}`.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error(`the identity ${identityUid} of the delegation ${uid} does not exist`);
  return {
    isKnown: row.known,
    policies: row.policies,
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
      obligation: envelope.obligation_uid === null ? null : (row.obligation ?? 'unknown'),
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

/**
 * Returns the SQL that reads the obligation that an envelope names and locks it in share mode until the transaction ends.
 * The value is null if the obligation does not exist.
 */
function obligationOf({ workspace, environment }: Tenant, uid: string | null) {
  return sql<ObligationFacts | null>`(
    select json_build_object('state', o.governance_state, 'type', o.content ->> 'obligation_type',
      'counterparty_id', o.counterparty_id, 'currency', o.currency)
    from (
      select * from obligation
      where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment} for share
    ) o)`;
}
