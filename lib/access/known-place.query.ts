import type { Em, Tenant } from '#lib/database/base.ts';
import { Workspace } from './workspace.entity.ts';

/**
 * Returns the workspace and environment of a command that creates a record; undefined if the workspace does not exist.
 */
export async function knownPlace(em: Em, { workspace, environment }: Tenant): Promise<Tenant | undefined> {
  const isKnown = await em.count(Workspace, { uid: workspace }, { filters: false });
  return isKnown ? { workspace, environment } : undefined;
}

/** The refusal for a workspace that does not exist. */
export const unknownWorkspace = { workspace_unknown: 'The workspace does not exist.' } as const;
