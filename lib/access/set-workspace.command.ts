import { LockMode } from '@mikro-orm/core';
import { defineCommand, type Entry } from '#lib/governance/command.ts';
import { Workspace } from './workspace.entity.ts';
import { placeOfWorkspace, workspaceUnknown } from './workspace.query.ts';

/** Sets the scopes that the applications of a workspace may hold. */
export const setEntitlements = setOfWorkspace('entitlements', 'workspace.entitlements_set');

/** Sets the service class of a workspace. The class determines the limits of the workspace. */
export const setServiceClass = setOfWorkspace('serviceClass', 'workspace.class_set');

/** Sets the proof of persons that the console accepts in production: `passkey`, or `any` for codes as well. */
export const setProof = setOfWorkspace('proof', 'workspace.proof_set');

function setOfWorkspace<Name extends 'entitlements' | 'serviceClass' | 'proof'>(name: Name, op: Entry['op']) {
  return defineCommand<{ workspace: string; value: Workspace[Name] }>()({
    find: (em, { workspace }) => placeOfWorkspace(em, workspace),
    unknown: 'workspace_unknown',
    lock: (em, { workspace }) =>
      em.findOneOrFail(Workspace, { uid: workspace }, { lockMode: LockMode.PESSIMISTIC_WRITE }),
    facts: async (_em, workspace) => ({ workspace, before: workspace[name] }),
    decide: () => ({ ok: true as const }),
    async write(_em, { workspace }, _verdict, { input: { value } }) {
      workspace[name] = value;
      return { result: undefined };
    },
    entry: ({ before }, _verdict, { workspace, value }) => ({
      op,
      subject: { type: 'workspace', uid: workspace },
      details: { before, after: value },
    }),
    refusals: { workspace_unknown: workspaceUnknown },
  });
}
