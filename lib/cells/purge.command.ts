import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { placeOfWorkspace, workspaceUnknown } from '#lib/access/workspace.query.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { recordOf } from './record-export.command.ts';
import { COPY_KEPT_DAYS, decidePurge, type OldCopy } from './purge-state.ts';

type Input = { workspace: string; copy: OldCopy };

/**
 * Requests or approves to delete the old copy of a workspace, in the cell that has the workspace now. Two persons of
 * the workspace are needed.
 */
export const decidePurgeOfCopy = defineCommand<Input>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: async () => undefined,
  facts: async () => undefined,
  decide: (_facts, { copy }, at) => decidePurge(copy, personOf(at), at.now),
  write: async (_em, _facts, { step }, at) => ({ result: { step, by: personOf(at) } }),
  entry: (_facts, verdict, { workspace }) =>
    verdict.ok
      ? { op: `workspace.purge_${verdict.step}`, subject: { type: 'workspace', uid: workspace } }
      : undefined,
  refusals: {
    workspace_unknown: workspaceUnknown,
    copy_kept: `The old copy is kept for ${COPY_KEPT_DAYS} days after the move.`,
    same_person: 'You requested to delete the old copy. Another person must approve it.',
    copy_purged: 'The old copy has been deleted.',
  },
});

/** Records in the cell that has the workspace that its old copy in another cell was deleted. */
export const recordPurge = recordOf<{ workspace: string; rows: number }>(
  'workspace.copy_purged',
  ({ rows }) => ({
    details: { rows },
  }),
);

/** Returns the old copy of a workspace that has been moved; undefined if this cell has none. */
export async function oldCopyOf(em: Em, workspace: string): Promise<OldCopy | undefined> {
  type Row = { movedMs: number; isPurged: boolean; by: string | null; requestedMs: number | null };
  const { rows } = await sql<Row>`
    select (extract(epoch from moved_at) * 1000)::float8 as "movedMs", purged_at is not null as "isPurged",
      purge_requested_by_uid as by, (extract(epoch from purge_requested_at) * 1000)::float8 as "requestedMs"
    from workspace_move where workspace_uid = ${workspace} and state = 'moved'
  `.execute(em.getKysely());
  const [found] = rows;
  if (!found) return undefined;
  const { movedMs, isPurged, by, requestedMs } = found;
  const request = by === null || requestedMs === null ? undefined : { by, at: new Date(requestedMs) };
  return { movedAt: new Date(movedMs), isPurged, request };
}

/** Stores in the old cell who requested to delete the old copy. */
export async function storeRequest(em: Em, workspace: string, { by, at }: { by: string; at: Date }) {
  await sql`
    update workspace_move set purge_requested_by_uid = ${by}, purge_requested_at = ${at}
    where workspace_uid = ${workspace}
  `.execute(em.getKysely());
}
