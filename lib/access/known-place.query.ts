import type { Em, Tenant } from '#lib/database/base.ts';
import { Workspace } from './workspace.entity.ts';

/** The place if its workspace exists: where a command creates something. */
export async function knownPlace(em: Em, { workspace, environment }: Tenant): Promise<Tenant | undefined> {
  const isKnown = await em.count(Workspace, { uid: workspace }, { filters: false });
  return isKnown ? { workspace, environment } : undefined;
}

/** What it means that there is no such place. */
export const unknownWorkspace = { workspace_unknown: 'The workspace does not exist.' } as const;
