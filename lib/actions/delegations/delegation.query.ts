import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { readRows, type Em, type Tenant } from '#lib/database/base.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { Delegation, DelegationApproval } from './delegation.entity.ts';
import { DelegationWindow, Reservation } from './reservation.entity.ts';
import type { DelegationState } from './states.ts';
import { windowsAt } from './windows.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';

/** Returns a delegation of any workspace. For operators. */
export function findDelegationAnywhere(em: Em, uid: string): Promise<Delegation | null> {
  return em.findOne(Delegation, { uid }, { filters: false });
}

/** Returns the workspace and environment of a delegation of any workspace. */
export function placeOfDelegation(em: Em, uid: string): Promise<Tenant | undefined> {
  return placeOfRecord(em, Delegation, uid);
}

/** Locks and reads a delegation for a change of its state. */
export function lockDelegation(
  em: Em,
  uid: string,
  { workspace, environment }: Tenant,
): Promise<Delegation | null> {
  return em.findOne(
    Delegation,
    { uid, workspaceUid: workspace, environment },
    { filters: false, refresh: true, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}

export type DelegationFilter = {
  state?: DelegationState | undefined;
  identity?: string | undefined;
  counterparty?: number | undefined;
  currency?: string | undefined;
};

/**
 * Returns the delegations of the caller's tenant, newest first. A page begins after the record with the uid `after`.
 */
export function listDelegations(
  em: Em,
  { state, identity, counterparty, currency }: DelegationFilter,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<Delegation[]> {
  const terms = {
    ...(counterparty ? { counterparty_id: counterparty } : {}),
    ...(currency ? { currency } : {}),
  };
  return em.find(
    Delegation,
    {
      ...(after ? { uid: { $lt: after } } : {}),
      ...(state ? { state } : {}),
      ...(identity ? { identityUid: identity } : {}),
      ...(Object.keys(terms).length ? { terms } : {}),
    },
    { orderBy: { uid: 'desc' }, limit },
  );
}

/** A delegation with its identity, its votes, and the usage of its budgets in the current day and month. */
export type DelegationDetails = {
  delegation: Delegation;
  identity: GovernedRecord;
  votes: DelegationApproval[];
  windows: DelegationWindow[];
};

/** Reads the details of a delegation at an instant. */
export async function readDetails(em: Em, delegation: Delegation, now: Date): Promise<DelegationDetails> {
  const { uid, workspaceUid, environment, identityUid, terms } = delegation;
  const place = sql`
    delegation_uid = ${uid} and workspace_uid = ${workspaceUid} and environment = ${environment}`;
  const { day, month } = windowsAt(now, terms.time_zone);
  return {
    delegation,
    identity: await em.findOneOrFail(GovernedRecord, { uid: identityUid }, { filters: false }),
    votes: await readRows(
      em,
      DelegationApproval,
      sql`
      select * from delegation_approval where ${place} order by uid`,
    ),
    windows: await readRows(
      em,
      DelegationWindow,
      sql`
      select * from delegation_window where ${place} and key in (${day}, ${month})`,
    ),
  };
}

/** Returns a delegation of the caller's tenant with its details; null if it does not exist. */
export async function findDetails(em: Em, uid: string, now: Date): Promise<DelegationDetails | null> {
  const found = await em.findOne(Delegation, { uid });
  return found && readDetails(em, found, now);
}

/** Returns a page of delegations with their details. */
export async function listDetails(
  em: Em,
  filter: DelegationFilter,
  page: { after?: string | undefined; limit: number },
  now: Date,
): Promise<DelegationDetails[]> {
  const rows: DelegationDetails[] = [];
  for (const each of await listDelegations(em, filter, page)) rows.push(await readDetails(em, each, now));
  return rows;
}

/** Returns the reservations under a delegation of any workspace, newest first. For operators. */
export function listReservations(em: Em, delegationUid: string, limit: number): Promise<Reservation[]> {
  return em.find(Reservation, { delegationUid }, { filters: false, orderBy: { uid: 'desc' }, limit });
}
