import type { Em } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { controlKinds } from '#lib/actions/authority/kinds.ts';
import type { PersonEvent } from '#lib/actions/delegations/change.ts';
import { changeDelegation } from '#lib/actions/delegations/change-delegation.command.ts';
import { systemClock } from '#lib/core/clock.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import type { GovernedEvent } from '#lib/governance/governed/states.ts';
import { carryOutIn, changeGoverned, handsOf } from './governed.ts';
import { activateRecord, sampleApplication } from '#lib/sample/governed/record-makers.ts';
import { governBy } from '#api/cli/shell/govern.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { addPerson } from '#lib/access/add-person.command.ts';
import type { Backend } from './backends.ts';
import type { Sample } from './govern.ts';

let count = 0;

export type Voter = { person: string; uid: string; api_key: string; authority?: string; membership?: string };

/**
 * Returns functions that run the commands of two operators of a sample in this process. As on the command
 * line, one operator drafts a change and the other approves it.
 */
export function operatorsOf(backend: Backend, sample: Sample) {
  const tenant = { workspace: sample.workspace, environment: 'sandbox' as const };
  const makers = { tenant, grantor: sample.persons.grantor.uid, controller: sample.persons.controller.uid };
  const inside = <T>(work: (em: Em) => Promise<T>) => inPlatform(backend.orm('operator'), work);
  const hands = handsOf(backend.orm('operator'));
  const put = (kind: string, draft: { key?: string; name: string; body: unknown }) =>
    activateRecord(hands, makers, controlKinds[kind]!, draft).then(({ uid }) => uid);
  const change = (kind: string, uid: string, event: GovernedEvent, by = makers.controller) =>
    inside((em) =>
      changeGoverned(em, controlKinds[kind]!, uid, { event, by, reason: 'test', now: new Date() }),
    );
  /** Changes a delegation as a person, with an entry in the audit log, as on the command line. */
  const decide = (uid: string, event: PersonEvent, by = makers.controller) =>
    inside(async (em) => {
      const actor = { kind: 'person' as const, uid: by };
      const change = { uid, event, reason: 'test' };
      const done = await carryOutIn(em, changeDelegation, change, { actor, clock: systemClock });
      return done.ok ? 'ok' : done.code;
    });
  const person = async (roles = ['analyst', 'approver']) => {
    const email = `vera-${process.pid}-${++count}@sample.example`;
    const given = { workspace: sample.workspace, name: `Vera Voter ${count}`, email, roles };
    return (await governBy(hands, addPerson, given, unnamed)).result.uid;
  };
  const application = (owner: string, without = ['actions:create']) =>
    sampleApplication(hands, tenant, { name: `Application ${++count}`, owner, without });
  const bind = (app: string, who: string, days = 60) =>
    put('binding', {
      name: `Binding ${++count}`,
      body: { application_uid: app, person_uid: who, valid_until: inDays(days) },
    });
  const join = (role: string, who: string) =>
    put('membership', { name: `Membership ${++count}`, body: { role, person_uid: who } });
  const authorityBody = (who: string, changes: Record<string, unknown> = {}) => ({
    grantee: { kind: 'user', person_uid: who },
    actions: ['obligation.pay', 'collateral.transfer'],
    capabilities: ['approve_delegation'],
    connectors: 'any_registered',
    counterparties: 'any_registered',
    max_risk_tier: 'T2',
    limits: [
      {
        currency: sample.currency,
        per_action_minor: 100_000,
        per_day_minor: 1_000_000,
        per_month_minor: 5_000_000,
      },
    ],
    valid_from: new Date().toISOString(),
    valid_until: inDays(400),
    granted_under: null,
    ...changes,
  });
  const authorize = (who: string, changes: Record<string, unknown> = {}) =>
    put('authority', { key: `authority-${++count}`, name: 'Authority', body: authorityBody(who, changes) });
  /** Creates a person with an application that acts for them, a role and an authority. */
  const voter = async (role?: string): Promise<Voter> => {
    const who = await person();
    const app = await application(who);
    await bind(app.uid, who);
    return {
      person: who,
      ...app,
      authority: await authorize(who),
      ...(role === undefined ? {} : { membership: await join(role, who) }),
    };
  };
  const role = (key: string) => put('role', { key, name: key, body: {} });
  const graph = (key: string, action: string, nodes: readonly { quorum: number; roles: string[] }[]) =>
    put('graph', {
      key,
      name: key,
      body: {
        applies_to: { actions: [action], risk_tiers: [], currency: sample.currency },
        nodes: nodes.map((node, index) => ({
          key: `node-${index + 1}`,
          users: [],
          timeout_hours: null,
          ...node,
        })),
      },
    });
  const find = (uid: string) => inside((em) => em.findOneOrFail(GovernedRecord, { uid }, { filters: false }));
  return {
    tenant,
    makers,
    hands,
    inside,
    put,
    change,
    decide,
    person,
    application,
    bind,
    join,
    authorize,
    authorityBody,
    voter,
    role,
    graph,
    find,
  };
}

export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
