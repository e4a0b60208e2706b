import { placeOfWorkspace } from '#lib/access/workspace.query.ts';
import type { Em, Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import type { Actor } from '#lib/audit/entry.ts';
import { CellRefused } from './refused.ts';

/**
 * Returns the person who exports a workspace or lets it return, before anything is written. Refuses a workspace that does
 * not exist. `prove` finds the person and verifies the one-time code.
 */
export function transferActor(
  orm: Orm,
  workspace: string,
  prove: (em: Em, place: { workspace: string }) => Promise<Actor>,
): Promise<Actor> {
  return inPlatform(orm, async (em) => {
    const place = await placeOfWorkspace(em, workspace);
    if (!place) throw new CellRefused('workspace_unknown', `The workspace ${workspace} does not exist.`);
    return prove(em, place);
  });
}
