import { Refusal } from '#lib/core/refusal.ts';
import type { Em } from '#lib/database/base.ts';
import type { WholeWorkspace } from '#lib/governance/command.ts';
import { Workspace } from './workspace.entity.ts';

/** Returns the workspace with a uid. Throws the refusal `workspace_unknown` if it does not exist. */
export async function findWorkspace(em: Em, uid: string): Promise<Workspace> {
  const workspace = await em.findOne(Workspace, { uid });
  if (!workspace) throw new Refusal('workspace_unknown', workspaceUnknown({ workspace: uid }));
  return workspace;
}

/**
 * Returns the workspace as the place of a change that concerns all of its environments; undefined if the workspace does
 * not exist.
 */
export async function placeOfWorkspace(em: Em, uid: string): Promise<WholeWorkspace | undefined> {
  return (await em.count(Workspace, { uid })) ? { workspace: uid } : undefined;
}

/** Returns the text of the refusal `workspace_unknown`. */
export function workspaceUnknown({ workspace }: { workspace: string }): string {
  return `The workspace ${workspace} does not exist.`;
}

/** Returns all workspaces, in order of creation. For operators. */
export function listWorkspaces(em: Em): Promise<Workspace[]> {
  return em.find(Workspace, {}, { orderBy: { uid: 'asc' } });
}
