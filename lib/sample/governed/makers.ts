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
import { governWith, person, type Hands } from '../hands.ts';

/** Who makes a sample: one person asks for everything, another one approves it. */
export type Makers = { tenant: Tenant; grantor: string; controller: string };

type Draft = { key?: string; name: string; body: unknown };

/** Brings a record into force by both makers, as two operators would. */
export async function bringIntoForce(
  hands: Hands,
  { tenant, grantor, controller }: Makers,
  kind: GovernedKind,
  draft: Draft,
): Promise<GovernedRecord> {
  const { result } = await governWith(hands, draftRecord(kind), { tenant, ...draft }, person(grantor));
  const { uid } = result;
  await governWith(hands, changeRecord(kind), { uid, event: 'submit' }, person(grantor));
  const approved = await governWith(hands, changeRecord(kind), { uid, event: 'approve' }, person(controller));
  return approved.result.record;
}

/** The version in force under a key, or else one that is brought into force now. */
export async function ensureInForce(
  hands: Hands,
  makers: Makers,
  kind: GovernedKind,
  draft: Draft,
): Promise<GovernedRecord> {
  const { tenant } = makers;
  const [found] = await hands.query(tenant, inForce, kind, tenant, draft.key);
  return (found as GovernedRecord | undefined) ?? bringIntoForce(hands, makers, kind, draft);
}

/** The records of a sample, by name: each comes into force after those before it. */
export async function bringAllIntoForce<Name extends string>(
  hands: Hands,
  makers: Makers,
  records: Record<Name, SampleRecord>,
): Promise<Record<Name, GovernedRecord>> {
  const made: [string, GovernedRecord][] = [];
  for (const [name, record] of Object.entries<SampleRecord>(records)) {
    const { kind, isShared = false, approvedBy: controller = makers.controller, ...draft } = record;
    const bring = isShared ? ensureInForce : bringIntoForce;
    made.push([name, await bring(hands, { ...makers, controller }, controlKinds[kind]!, draft)]);
  }
  return Object.fromEntries(made) as Record<Name, GovernedRecord>;
}

/** An application of a person, with a key that this person issued. */
export async function sampleApplication(
  hands: Hands,
  tenant: Tenant,
  { name, owner, without = [] }: { name: string; owner: string; without?: string[] },
): Promise<{ uid: string; api_key: string }> {
  const scopes = allScopes.filter((scope) => !without.includes(scope));
  const given = { ...tenant, name, scopes, owner };
  const { uid } = (await governWith(hands, addApplication, given, person(owner))).result;
  const { key } = (await governWith(hands, issueApiKey, { application: uid }, person(owner))).result;
  return { uid, api_key: key };
}

/** The party of a name, created if it does not exist. */
export async function sampleParty(
  hands: Hands,
  { tenant, grantor }: Makers,
  { kind, name, key }: { kind: CounterpartyKind; name: string; key: string | null },
): Promise<Counterparty> {
  const { workspace } = tenant;
  const found = await hands.query('everywhere', findPartyByName, workspace, kind, name);
  if (found) return found;
  return (await governWith(hands, createParty(kind), { workspace, name, key }, person(grantor))).result;
}
