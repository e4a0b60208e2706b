import { LockMode } from '@mikro-orm/core';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { decideFreeze } from './freeze.ts';
import { Workspace } from './workspace.entity.ts';
import { placeOfWorkspace, workspaceUnknown } from './workspace.query.ts';

type Input = { workspace: string; event: 'freeze' | 'thaw'; reason: string };

/**
 * Freezes all financial actions of a workspace, or allows them again. The audit log also records refused
 * changes.
 */
export const freezeWorkspace = defineCommand<Input>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  async lock(em, { workspace }) {
    await lockControl(em, workspace, 'change');
    return em.findOneOrFail(Workspace, { uid: workspace }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  },
  facts: async (_em, workspace) => workspace,
  decide: ({ financialActions: state, frozenByUid: frozenBy = null }, { event }, at) =>
    decideFreeze({ state, frozenBy }, event, personOf(at)),
  async write(em, workspace, { next }, at) {
    em.assign(workspace, {
      financialActions: next,
      frozenByUid: next === 'frozen' ? personOf(at) : null,
    });
    return { result: undefined };
  },
  entry: (_workspace, _verdict, { workspace, event, reason }) => ({
    op: event === 'freeze' ? 'workspace.frozen' : 'workspace.thawed',
    subject: { type: 'workspace', uid: workspace },
    details: { reason },
  }),
  refusals: {
    workspace_unknown: workspaceUnknown,
    already_frozen: 'The financial actions of the workspace are already frozen.',
    not_frozen: 'The financial actions of the workspace are not frozen.',
    second_person_required:
      'The person who froze the financial actions cannot allow them again. Another person must do it.',
  },
});
