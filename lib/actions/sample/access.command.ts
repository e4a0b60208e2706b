import { defineCommand, personOf } from '#lib/governance/command.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { Person } from '#lib/workspace/person.entity.ts';
import { createApplication, createPerson, issueKey, type NewPerson } from '#lib/workspace/provision.ts';
import { Workspace } from '#lib/workspace/workspace.entity.ts';
import { writeDefaults } from '../control/defaults.ts';

type Ok = { ok: true };
const always = (): Ok => ({ ok: true });
const nothing = async () => undefined;
const refusals = { workspace_unknown: 'The workspace does not exist.' };

async function placeOf(em: Em, { workspace }: { workspace: string }) {
  return (await em.findOne(Workspace, { uid: workspace })) ? { workspace } : undefined;
}

/**
 * Gives a workspace the records that every workspace starts with, if it has none. The result is what the names of the
 * next sample end with: nothing for the first, and a number for those after it.
 */
export const prepareSample = defineCommand<{ workspace: string }>()({
  find: placeOf,
  unknown: 'workspace_unknown',
  lock: nothing,
  facts: (em, _locked, { workspace: workspaceUid }) =>
    em.count(Person, { workspaceUid, email: { $like: 'grace%@sample.example' } }, { filters: false }),
  decide: always,
  async write(em, made, _verdict, { input: { workspace }, now }) {
    await writeDefaults(em, workspace, now);
    return { result: made ? `-${made + 1}` : '' };
  },
  entry: () => undefined,
  refusals,
});

/** Creates a person of a sample. */
export const createSamplePerson = defineCommand<Omit<NewPerson, 'now'>>()({
  find: placeOf,
  unknown: 'workspace_unknown',
  lock: nothing,
  facts: nothing,
  decide: always,
  async write(em, _facts, _verdict, { input, now }) {
    return { result: createPerson(em, { ...input, now }) };
  },
  entry: (_facts, _verdict, { roles }, person?: Person) =>
    person && { op: 'person.created', subject: { type: 'person', uid: person.uid }, details: { roles } },
  refusals,
});

export type SampleApplication = { tenant: Tenant; name: string; scopes: string[] };

/** Creates an application of the person who acts, with a key that this person issues. */
export const createSampleApplication = defineCommand<SampleApplication>()({
  find: async (em, { tenant }) => ((await placeOf(em, tenant)) ? tenant : undefined),
  unknown: 'workspace_unknown',
  lock: nothing,
  facts: nothing,
  decide: always,
  async write(em, _facts, _verdict, { input: { tenant, name, scopes }, now, actor }) {
    const owner = personOf({ actor });
    const application = createApplication(em, { ...tenant, name, scopes, owner, now });
    await em.flush();
    const { key, credential } = issueKey(em, application, { issuedBy: owner, now });
    return {
      result: { uid: application.uid, api_key: key },
      consequences: [{ op: 'key.issued', subject: { type: 'key', uid: credential.uid } }],
    };
  },
  entry: (_facts, _verdict, _input, made?: { uid: string; api_key: string }) =>
    made && { op: 'application.created', subject: { type: 'application', uid: made.uid } },
  refusals,
});
