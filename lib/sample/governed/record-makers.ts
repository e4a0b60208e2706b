import { scopes as allScopes } from '#lib/core/scope.ts';
import type { Tenant } from '#lib/database/base.ts';
import { controlKinds } from '#lib/actions/authority/kinds.ts';
import { createParty } from '#lib/actions/party/create-party.command.ts';
import type { SampleRecord } from './records.ts';
import { changeRecord } from '#lib/governance/governed/change-record.command.ts';
import { draftRecord } from '#lib/governance/governed/draft-record.command.ts';
import type { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import type { GovernedKind } from '#lib/governance/governed/kind.ts';
import type { Counterparty, CounterpartyKind } from '#lib/access/counterparty.entity.ts';
import { addApplication } from '#lib/access/add-application.command.ts';
import { issueApiKey } from '#lib/access/issue-api-key.command.ts';
import { findPartyByName } from '#lib/access/counterparty.query.ts';
import { governWith, person, type SampleOperators } from '../sample-operators.ts';

/**
 * The two persons who make the records of a sample: one person requests each change, and the other person approves it.
 */
export type RecordMakers = { tenant: Tenant; grantor: string; controller: string };

type Draft = { key?: string; name: string; body: unknown };

/** Drafts and submits a record as one maker, and approves it as the other, as two operators would. */
export async function activateRecord(
  operators: SampleOperators,
  { tenant, grantor, controller }: RecordMakers,
  kind: GovernedKind,
  draft: Draft,
): Promise<GovernedRecord> {
  const { result } = await governWith(operators, draftRecord(kind), { tenant, ...draft }, person(grantor));
  const { uid } = result;
  await governWith(operators, changeRecord(kind), { uid, event: 'submit' }, person(grantor));
  const approved = await governWith(
    operators,
    changeRecord(kind),
    { uid, event: 'approve' },
    person(controller),
  );
  return approved.result.record;
}

/** Returns the active version under a key. If no version is active, creates and activates a version. */
export async function ensureInForce(
  operators: SampleOperators,
  makers: RecordMakers,
  kind: GovernedKind,
  draft: Draft,
): Promise<GovernedRecord> {
  const { tenant } = makers;
  const [found] = await operators.query(tenant, inForce, kind, tenant, draft.key);
  return (found as GovernedRecord | undefined) ?? activateRecord(operators, makers, kind, draft);
}

/**
 * Creates and activates the records of a sample. Returns the records by name. Each record becomes active after the
 * records before it.
 */
export async function activateRecords<Name extends string>(
  operators: SampleOperators,
  makers: RecordMakers,
  records: Record<Name, SampleRecord>,
): Promise<Record<Name, GovernedRecord>> {
  const made: [string, GovernedRecord][] = [];
  for (const [name, record] of Object.entries<SampleRecord>(records)) {
    const { kind, isShared = false, approvedBy: controller = makers.controller, ...draft } = record;
    const bring = isShared ? ensureInForce : activateRecord;
    made.push([name, await bring(operators, { ...makers, controller }, controlKinds[kind]!, draft)]);
  }
  return Object.fromEntries(made) as Record<Name, GovernedRecord>;
}

/** Creates an application that a person owns, with an API key that the person issued. */
export async function sampleApplication(
  operators: SampleOperators,
  tenant: Tenant,
  { name, owner, without = [] }: { name: string; owner: string; without?: string[] },
): Promise<{ uid: string; api_key: string }> {
  const scopes = allScopes.filter((scope) => !without.includes(scope));
  const given = { ...tenant, name, scopes, owner };
  const { uid } = (await governWith(operators, addApplication, given, person(owner))).result;
  const { key } = (await governWith(operators, issueApiKey, { application: uid }, person(owner))).result;
  return { uid, api_key: key };
}

/** Returns the party with the given name. Creates the party if it does not exist. */
export async function sampleParty(
  operators: SampleOperators,
  { tenant, grantor }: RecordMakers,
  { kind, name, key }: { kind: CounterpartyKind; name: string; key: string | null },
): Promise<Counterparty> {
  const { workspace } = tenant;
  const found = await operators.query('everywhere', findPartyByName, workspace, kind, name);
  if (found) return found;
  return (await governWith(operators, createParty(kind), { workspace, name, key }, person(grantor))).result;
}
