import { createdEntry } from '#lib/access/add-person.command.ts';
import { canChangeOwners, ownerRequired } from '#lib/access/owners.query.ts';
import { Person } from '#lib/access/person.entity.ts';
import { createPerson } from '#lib/access/provision.ts';
import { placeOfWorkspace, workspaceUnknown } from '#lib/access/workspace.query.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { writeDefaults } from '#lib/actions/authority/defaults.ts';
import { samplePersons } from './persons.ts';

/**
 * Adds the persons of the next sample to a workspace. If the workspace has no initial records, adds them too. The
 * suffix is appended to the names of this sample. It is empty for the first sample, and a number for later samples.
 * One of them is an owner, so only an owner can add them. This transaction fails if the caller may not add persons.
 */
export const prepareSample = defineCommand<{ workspace: string }>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: (em, { workspace }) => lockControl(em, workspace, 'change'),
  facts: async (em, _locked, { workspace: workspaceUid }, { actor }) => ({
    made: await em.count(
      Person,
      { workspaceUid, email: { $like: 'grace%@sample.example' } },
      { filters: false },
    ),
    canChangeOwners: await canChangeOwners(em, workspaceUid, actor),
  }),
  decide: ({ canChangeOwners: isAllowed }) =>
    isAllowed ? { ok: true as const } : { ok: false as const, code: 'owner_required' as const },
  async write(em, { made }, _verdict, { input: { workspace }, now }) {
    await writeDefaults(em, workspace, now);
    const suffix = made ? `-${made + 1}` : '';
    const persons = samplePersons(suffix, (person) => createPerson(em, { workspace, ...person, now }));
    const [, ...others] = Object.values(persons);
    return { result: { suffix, persons }, consequences: others.map(createdEntry) };
  },
  entry: (_facts, _verdict, _input, result) => result && createdEntry(result.persons.grantor),
  refusals: { workspace_unknown: workspaceUnknown, owner_required: ownerRequired },
});
