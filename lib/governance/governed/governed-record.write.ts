import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import { newUid } from '#lib/core/id.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { readRows, type Em, type Tenant } from '#lib/database/base.ts';
import { GovernedRecord } from './governed-record.entity.ts';
import { readDraft } from './draft.ts';
import type { BodyFault, GovernedKind } from './kind.ts';
import { recordsAtHand } from './records-once.query.ts';
import type { GovernedState } from './states.ts';

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
 * Writes the next version of a record as a draft, in the caller's transaction. The drafts of a key get consecutive
 * version numbers. A body that is not valid is refused with all its faults.
 */
export async function draftGoverned(em: Em, kind: GovernedKind, draft: Draft): Promise<Drafted> {
  const { tenant, by, now } = draft;
  const read = readDraft(kind, draft);
  if (!read.ok) return read;
  const { key, body } = read;
  const faults = (await kind.check?.(em, body as Static<TSchema>, { tenant, key, now, by })) ?? [];
  if (faults.length) return { ok: false, faults };
  const versions = await lockVersions(em, kind, tenant, key);
  return { ok: true, record: await writeDraft(em, kind, versions, { ...draft, key, body }) };
}

/** Writes the next version of a record whose versions are locked. */
export async function writeDraft(
  em: Em,
  { kind, prefix }: GovernedKind,
  versions: readonly GovernedRecord[],
  { tenant, key, name, body, by, now }: Draft & { key: string; body: Record<string, unknown> },
): Promise<GovernedRecord> {
  const version = 1 + Math.max(0, ...versions.map((each) => each.version));
  const record = em.create(GovernedRecord, {
    uid: newUid(prefix),
    workspaceUid: tenant.workspace,
    environment: tenant.environment,
    kind,
    key,
    version,
    name,
    state: 'draft',
    body,
    bodyHash: canonicalHash({ kind, key, version, name, body }),
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
  return record;
}

/** Locks and reads all versions of a record. */
export async function lockVersions(
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

/** Returns the active versions of a kind, ordered by key. */
export async function inForce<Schema extends TSchema>(
  em: Em,
  kind: GovernedKind<Schema>,
  tenant: Tenant,
  key?: string,
): Promise<Governed<Schema>[]> {
  return inStates(em, kind, tenant, ['active'], key);
}

/**
 * Returns the active and the suspended versions of a kind, ordered by key. A record that restricts others still applies
 * after one person has suspended it.
 */
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
  const known = recordsAtHand(em, tenant, kind.kind, key);
  const found =
    known?.filter(({ state }) => states.includes(state)) ?? (await readStates(em, kind, tenant, states, key));
  return found as unknown as Governed<Schema>[];
}

async function readStates(
  em: Em,
  { kind }: GovernedKind,
  { workspace, environment }: Tenant,
  states: readonly GovernedState[],
  key: string | undefined,
): Promise<GovernedRecord[]> {
  const isWanted = key === undefined ? sql`true` : sql`key = ${key}`;
  const statement = sql`
    select * from governed_record
    where workspace_uid = ${workspace} and environment = ${environment} and kind = ${kind}
      and state in (${sql.join(states.map((state) => sql.lit(state)))}) and ${isWanted}
    order by key`;
  return readRows(em, GovernedRecord, statement);
}

/**
 * Writes a record that every workspace starts with. The record is active at once and has no drafter. Returns undefined
 * if the record already exists.
 */
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
