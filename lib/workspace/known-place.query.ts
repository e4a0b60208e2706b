import type { Em, Tenant } from '#lib/database/base.ts';
import { Workspace } from './workspace.entity.ts';

/** The place of what is about to be made; undefined if the workspace does not exist. */
export async function knownPlace(em: Em, { workspace, environment }: Tenant): Promise<Tenant | undefined> {
  const isKnown = await em.count(Workspace, { uid: workspace }, { filters: false });
  return isKnown ? { workspace, environment } : undefined;
}
