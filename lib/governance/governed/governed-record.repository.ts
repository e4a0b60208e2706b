import { LockMode } from '@mikro-orm/core';
import type { Static, TSchema } from 'typebox';
import { newUid } from '#lib/core/id.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/orm.ts';
import { GovernedRecord } from './governed-record.entity.ts';
import { lockControl } from './control-lock.repository.ts';
import { schemaFaults, type BodyFault, type GovernedKind } from './kind.ts';
import { decideGoverned, type GovernedEvent, type GovernedRefusal, type GovernedState } from './states.ts';

export type Draft = {
  tenant: Tenant;
  key?: string | undefined;
  name: string;
  body: unknown;
  by: string | null;
  now: Date;
};

export type Drafted = { ok: true; record: GovernedRecord } | { ok: false; faults: BodyFault[] };

/**
 * Writes the next version of a record, as a draft, in the caller's transaction; drafts of one key are numbered one
 * after the other. A body that is not valid is refused with every fault.
 */
export async function draftGoverned(em: Em, kind: GovernedKind, draft: Draft): Promise<Drafted> {
  const { tenant, name, by, now } = draft;
  const body = structuredClone(draft.body) as Record<string, unknown>;
  const malformed = schemaFaults(kind, body);
  if (malformed.length) return { ok: false, faults: malformed };
  const key = kind.keyOf?.(body as Static<TSchema>) ?? draft.key;
  if (key === undefined || (!kind.keyOf && !/^[a-z][a-z0-9_.-]{0,63}$/.test(key))) {
    const message = 'must be a word of 1 to 64 lower-case letters, digits, dots, dashes and underscores';
    return { ok: false, faults: [{ pointer: '/key', code: 'key', message }] };
  }
  const faults = (await kind.check?.(em, body as Static<TSchema>, { tenant, key, now, by })) ?? [];
  if (faults.length) return { ok: false, faults };
  const versions = await lockVersions(em, kind, tenant, key);
  const version = 1 + Math.max(0, ...versions.map((each) => each.version));
  const record = em.create(GovernedRecord, {
    uid: newUid(kind.prefix),
    workspaceUid: tenant.workspace,
    environment: tenant.environment,
    kind: kind.kind,
    key,
    version,
    name,
    state: 'draft',
    body,
    bodyHash: canonicalHash({ kind: kind.kind, key, version, name, body }),
    draftedByUid: by,
    submittedByUid: null,
    submittedAt: null,
    approvedByUid: null,
    createdAt: now,
    activeAt: null,
    endedByUid: null,
    endedAt: null,
    endReason: null,
  });
  await em.flush();
  return { ok: true, record };
}

export type Change = { event: GovernedEvent; by: string; reason?: string | undefined; now: Date };

export type Changed =
  | { ok: true; record: GovernedRecord; from: string; superseded: GovernedRecord[] }
  | { ok: false; code: GovernedRefusal | 'record_unknown'; record?: GovernedRecord }
  | { ok: false; code: 'invalid_body'; faults: BodyFault[]; record: GovernedRecord };

/**
 * Locks all versions of a record, asks the rule, and writes what it says, in the caller's transaction. A version that
 * comes into force ends the one before. For operators: it looks into all workspaces.
 */
export async function changeGoverned(
  em: Em,
  kind: GovernedKind,
  uid: string,
  change: Change,
): Promise<Changed> {
  const { event, by, now } = change;
  const found = await em.findOne(GovernedRecord, { uid, kind: kind.kind }, { filters: false });
  if (!found) return { ok: false, code: 'record_unknown' };
  const tenant = { workspace: found.workspaceUid, environment: found.environment };
  await lockControl(em, tenant.workspace, 'change');
  const versions = await lockVersions(em, kind, tenant, found.key);
  const record = versions.find((each) => each.uid === uid)!;
  const body = record.body as Static<TSchema>;
  const { state: from, draftedByUid: draftedBy, submittedByUid: submittedBy, submittedAt } = record;
  const facts = {
    state: from,
    draftedBy,
    submittedBy,
    submittedAt,
    now,
    restrains: kind.mayBeEnded?.(body) === false,
    parties: (await kind.parties?.(em, body, { tenant, now })) ?? [],
  };
  const verdict = decideGoverned(facts, event, by);
  if (!verdict.ok) return { ...verdict, record };
  if (event === 'submit' || event === 'approve') {
    const wants = event === 'submit' ? by : (submittedBy ?? null);
    const faults = (await kind.check?.(em, body, { tenant, key: record.key, now, by: wants })) ?? [];
    if (faults.length) return { ok: false, code: 'invalid_body', faults, record };
  }
  const superseded =
    event === 'approve' ? versions.filter(({ state }) => state === 'active' || state === 'suspended') : [];
  if (event === 'approve') {
    for (const before of superseded) endRecord(before, 'superseded', by, now);
    await em.flush();
    em.assign(record, { approvedByUid: by, activeAt: now });
  }
  if (event === 'submit') em.assign(record, { submittedByUid: by, submittedAt: now });
  if (event === 'end' || event === 'withdraw') endRecord(record, change.reason ?? event, by, now);
  record.state = verdict.next;
  await em.flush();
  if (event === 'approve' || event === 'suspend' || event === 'end') await kind.changed?.(em, record, now);
  return { ok: true, record, from, superseded };
}

function endRecord(record: GovernedRecord, reason: string, by: string, now: Date): void {
  Object.assign(record, { state: 'ended', endedAt: now, endedByUid: by, endReason: reason });
}

async function lockVersions(
  em: Em,
  { kind }: GovernedKind,
  tenant: Tenant,
  key: string,
): Promise<GovernedRecord[]> {
  return em.find(
    GovernedRecord,
    { workspaceUid: tenant.workspace, environment: tenant.environment, kind, key },
    { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, orderBy: { version: 'asc' } },
  );
}

/** A record with the type of its body. */
export type Governed<Schema extends TSchema> = Omit<GovernedRecord, 'body'> & { body: Static<Schema> };

/** The versions in force of a kind, by key. */
export async function inForce<Schema extends TSchema>(
  em: Em,
  kind: GovernedKind<Schema>,
  tenant: Tenant,
  key?: string,
): Promise<Governed<Schema>[]> {
  return inStates(em, kind, tenant, ['active'], key);
}

/** The versions in force of a kind and those that are suspended, by key: what one person has stopped still holds others back. */
export async function inForceOrSuspended<Schema extends TSchema>(
  em: Em,
  kind: GovernedKind<Schema>,
  tenant: Tenant,
): Promise<Governed<Schema>[]> {
  return inStates(em, kind, tenant, ['active', 'suspended']);
}

async function inStates<Schema extends TSchema>(
  em: Em,
  kind: GovernedKind<Schema>,
  tenant: Tenant,
  states: readonly GovernedState[],
  key?: string,
): Promise<Governed<Schema>[]> {
  const found = await em.find(
    GovernedRecord,
    {
      workspaceUid: tenant.workspace,
      environment: tenant.environment,
      kind: kind.kind,
      state: { $in: [...states] },
      ...(key === undefined ? {} : { key }),
    },
    { filters: false, orderBy: { key: 'asc' }, refresh: true },
  );
  return found as unknown as Governed<Schema>[];
}

/** What every workspace starts with: in force at once, and nobody's. Written once. */
export async function bootstrapGoverned(
  em: Em,
  kind: GovernedKind,
  given: Omit<Draft, 'by'>,
): Promise<GovernedRecord | undefined> {
  const { tenant, now } = given;
  const key = kind.keyOf?.(given.body as Static<TSchema>) ?? given.key!;
  if ((await lockVersions(em, kind, tenant, key)).length) return undefined;
  const drafted = await draftGoverned(em, kind, { ...given, by: null });
  if (!drafted.ok) throw new Error(`a default ${kind.kind} is not valid: ${JSON.stringify(drafted.faults)}`);
  em.assign(drafted.record, { state: 'active', activeAt: now });
  await em.flush();
  return drafted.record;
}
