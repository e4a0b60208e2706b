import { defineCommand } from '#lib/governance/command.ts';
import { Person } from '#lib/access/person.entity.ts';
import { placeOfWorkspace, workspaceUnknown } from '#lib/access/workspace.query.ts';
import { writeDefaults } from '#lib/actions/authority/defaults.ts';

/**
 * Gives a workspace the records that every workspace starts with, if it has none. The result is what the names of the
 * next sample end with: nothing for the first, and a number for those after it.
 */
export const prepareSample = defineCommand<{ workspace: string }>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: async () => undefined,
  facts: (em, _locked, { workspace: workspaceUid }) =>
    em.count(Person, { workspaceUid, email: { $like: 'grace%@sample.example' } }, { filters: false }),
  decide: () => ({ ok: true as const }),
  async write(em, made, _verdict, { input: { workspace }, now }) {
    await writeDefaults(em, workspace, now);
    return { result: made ? `-${made + 1}` : '' };
  },
  entry: () => undefined,
  refusals: { workspace_unknown: workspaceUnknown },
});
