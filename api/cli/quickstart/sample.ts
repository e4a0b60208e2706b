import { systemClock } from '#lib/core/clock.ts';
import { scopes as allScopes } from '#lib/core/scope.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import type { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { draftGoverned, inForce } from '#lib/governance/governed/governed-record.repository.ts';
import type { GovernedKind } from '#lib/governance/governed/kind.ts';
import { Counterparty, type CounterpartyKind } from '#lib/workspace/counterparty.entity.ts';
import { createApplication, createPerson, issueKey } from '#lib/workspace/provision.ts';
import { changeRecord } from '#lib/governance/governed/change-record.command.ts';
import { carryOut } from '#lib/governance/govern.ts';
import { recordDraft } from '../governed-kind.ts';
import { invalidBody, refusalOf } from '../shell/govern.ts';
import { record } from '../record.ts';

/** Who makes a sample: one person asks for everything, another one approves it. */
export type Makers = { tenant: Tenant; grantor: string; controller: string };

/** Brings a record into force by both makers, as two operators would. */
export async function bringIntoForce(
  em: Em,
  { tenant, grantor, controller }: Makers,
  kind: GovernedKind,
  draft: { key?: string; name: string; body: unknown },
): Promise<GovernedRecord> {
  const now = systemClock.now();
  const drafted = await draftGoverned(em, kind, { tenant, ...draft, by: grantor, now });
  if (!drafted.ok) throw invalidBody(drafted.faults);
  await recordDraft(em, kind, drafted.record, grantor);
  for (const [event, by] of [
    ['submit', grantor],
    ['approve', controller],
  ] as const) {
    const request = { actor: { kind: 'person' as const, uid: by }, place: tenant, clock: systemClock };
    const changed = await carryOut(em, changeRecord(kind), { uid: drafted.record.uid, event }, request);
    if (!changed.ok) throw refusalOf(changed);
  }
  return drafted.record;
}

/** The version in force under a key, or else one that is brought into force now. */
export async function ensureInForce(
  em: Em,
  makers: Makers,
  kind: GovernedKind,
  draft: { key: string; name: string; body: unknown },
): Promise<GovernedRecord> {
  const [found] = await inForce(em, kind, makers.tenant, draft.key);
  return (found as GovernedRecord | undefined) ?? (await bringIntoForce(em, makers, kind, draft));
}

export async function samplePerson(em: Em, tenant: Tenant, name: string, suffix: string, roles: string[]) {
  const now = systemClock.now();
  const email = `${name.split(' ')[0]!.toLowerCase()}${suffix}@sample.example`;
  const person = createPerson(em, {
    workspace: tenant.workspace,
    name: `${name}${suffix}`,
    email,
    roles,
    now,
  });
  await em.flush();
  const subject = { type: 'person', uid: person.uid };
  await record(em, { op: 'person.created', workspace: tenant.workspace, subject, details: { roles } });
  return { uid: person.uid, name: person.name };
}

/** An application of a person, with a key that this person issued. */
export async function sampleApplication(
  em: Em,
  tenant: Tenant,
  { name, owner, without = [] }: { name: string; owner: string; without?: string[] },
) {
  const now = systemClock.now();
  const application = createApplication(em, {
    ...tenant,
    name,
    scopes: allScopes.filter((scope) => !without.includes(scope)),
    owner,
    now,
  });
  await em.flush();
  const { uid } = application;
  await record(em, {
    ...tenant,
    op: 'application.created',
    by: owner,
    subject: { type: 'application', uid },
  });
  const { key, credential } = issueKey(em, application, { issuedBy: owner, now });
  await record(em, { ...tenant, op: 'key.issued', by: owner, subject: { type: 'key', uid: credential.uid } });
  return { uid, api_key: key };
}

/** The party of a name, made where it is not there. */
export async function sampleParty(
  em: Em,
  { tenant, grantor }: Makers,
  { kind, name, key }: { kind: CounterpartyKind; name: string; key: string | null },
): Promise<Counterparty> {
  const place = { workspaceUid: tenant.workspace, kind };
  const found = await em.findOne(Counterparty, { ...place, name }, { filters: false });
  if (found) return found;
  const made = em.create(Counterparty, {
    ...place,
    name,
    key,
    state: 'active',
    createdAt: systemClock.now(),
  });
  await em.flush();
  const subject = { type: kind, uid: String(made.id) };
  await record(em, { op: `${kind}.created`, workspace: tenant.workspace, by: grantor, subject });
  return made;
}
