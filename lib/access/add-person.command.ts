import { defineCommand, type Entry } from '#lib/governance/command.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { canChangeOwners, OWNER, ownerRequired } from './owners.query.ts';
import { Person } from './person.entity.ts';
import { createPerson } from './provision.ts';
import { placeOfWorkspace, workspaceUnknown } from './workspace.query.ts';

type Input = { workspace: string; name: string; email: string; roles: string[] };

/** Adds a person to a workspace. Only an owner adds another owner. */
export const addPerson = defineCommand<Input>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: (em, { workspace }) => lockControl(em, workspace, 'change'),
  facts: async (em, _locked, { workspace: workspaceUid, email }, { actor }) => ({
    known: await em.count(Person, { workspaceUid, email }, { filters: false }),
    canChangeOwners: await canChangeOwners(em, workspaceUid, actor),
  }),
  decide({ known, canChangeOwners: isAllowed }, { roles }) {
    if (roles.includes(OWNER) && !isAllowed) return { ok: false as const, code: 'owner_required' as const };
    return known ? { ok: false as const, code: 'person_exists' as const } : { ok: true as const };
  },
  async write(em, _facts, _verdict, { input, now }) {
    return { result: createPerson(em, { ...input, now }) };
  },
  entry: (_facts, _verdict, _input, person) => person && createdEntry(person),
  refusals: {
    workspace_unknown: workspaceUnknown,
    owner_required: ownerRequired,
    person_exists: ({ email }) => `The workspace already has a person with the email address ${email}.`,
  },
});

/** Returns the audit entry of a person who was added. */
export function createdEntry({ uid, roles }: Pick<Person, 'uid' | 'roles'>): Entry {
  return { op: 'person.created', subject: { type: 'person', uid }, details: { roles } };
}
