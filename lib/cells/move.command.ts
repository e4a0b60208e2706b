import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { personsLockedSince } from '#lib/access/person-code.query.ts';
import { entryOfLock } from '#lib/access/use-code.command.ts';
import { placeOfWorkspace, workspaceUnknown } from '#lib/access/workspace.query.ts';
import { arrivedFrom } from './move-record.query.ts';
import { decideArrival, decideBegin, type MoveState } from './move-state.ts';

type Target = {
  workspace: string;
  /** The name of the target cell, and the address at which callers reach it. */
  to: string;
  address: string;
};

/** Why a move does not begin. */
export const notBegun = {
  already_moved: 'The workspace has been moved to another cell.',
  moving_elsewhere: 'A move of the workspace to another cell has begun. Run it again with that cell.',
};

/**
 * Begins to move a workspace: from the commit on, the database refuses every write to it. The entry of the log comes
 * before that, so the log of this cell ends with it. A move that was begun before goes on
 * without an entry.
 */
export const beginMove = defineCommand<Target>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: lockWorkspace,
  facts: (em, _locked, { workspace }) => moveOf(em, workspace),
  decide: (now, { to }) => decideBegin(now, to),
  async write(em, _now, { stage }, { input: { workspace, to, address }, now, ...at }) {
    return {
      result: { stage },
      follow: async () => {
        if (stage !== 'new') return;
        await sql`
          insert into workspace_move (workspace_uid, state, to_cell, address, begun_by_uid, begun_at)
          values (${workspace}, 'moving', ${to}, ${address}, ${personOf(at)}, ${now})
        `.execute(em.getKysely());
      },
    };
  },
  entry: (_now, verdict, { workspace, to, address }) =>
    verdict.ok && verdict.stage !== 'new'
      ? undefined
      : {
          op: 'workspace.move_begun',
          subject: { type: 'workspace', uid: workspace },
          details: { to, address },
        },
  refusals: {
    workspace_unknown: workspaceUnknown,
    ...notBegun,
  },
});

/**
 * Gives up a move that failed: the workspace stays in this cell and accepts writes again. Records the persons who were
 * locked by wrong codes during the move.
 */
export const giveUpMove = defineCommand<{ workspace: string; to: string; reason: string }>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: lockWorkspace,
  facts: async () => undefined,
  decide: () => ({ ok: true as const }),
  async write(em, _facts, _verdict, { input: { workspace } }) {
    const { rows } = await sql<{ begunMs: number }>`
      delete from workspace_move where workspace_uid = ${workspace} and state = 'moving'
      returning (extract(epoch from begun_at) * 1000)::float8 as "begunMs"
    `.execute(em.getKysely());
    if (!rows[0]) throw new Error(`there is no move of the workspace ${workspace}`);
    const locked = await personsLockedSince(em, workspace, new Date(rows[0].begunMs));
    return {
      result: undefined,
      consequences: locked.map(({ uid, until }) => entryOfLock(uid, until)),
    };
  },
  entry: (_facts, _verdict, { workspace, to, reason }) => ({
    op: 'workspace.move_failed',
    subject: { type: 'workspace', uid: workspace },
    details: { to, reason },
  }),
  refusals: { workspace_unknown: workspaceUnknown },
});

/**
 * Records in the old cell that a workspace is in another cell now. Requests are answered with the new address from the
 * commit on. The log of the old cell has ended, so it gets no entry.
 */
export const completeMove = defineCommand<{ workspace: string; manifestHash: string }>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: lockWorkspace,
  facts: async () => undefined,
  decide: () => ({ ok: true as const }),
  async write(em, _facts, _verdict, { input: { workspace, manifestHash }, now }) {
    const { numAffectedRows } = await sql`
      update workspace_move set state = 'moved', moved_at = ${now}
      where workspace_uid = ${workspace} and state = 'moving' and manifest_hash = ${manifestHash}
    `.execute(em.getKysely());
    if (numAffectedRows !== 1n)
      throw new Error(`both cells have the workspace ${workspace}: the old cell has no record of this move`);
    return { result: undefined };
  },
  entry: () => undefined,
  refusals: { workspace_unknown: workspaceUnknown },
});

/** Records in the new cell that the workspace has been moved to it, once for each move. */
export const recordArrival = defineCommand<{ workspace: string; to: string; manifestHash: string }>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: lockWorkspace,
  facts: async (em, _locked, { workspace, manifestHash }) => ({
    isRecorded: await arrivedFrom(em, workspace, manifestHash),
    isAway: (await moveOf(em, workspace))?.state === 'moved',
  }),
  decide: decideArrival,
  write: async () => ({ result: undefined }),
  entry: (_facts, verdict, { workspace, to, manifestHash }) =>
    verdict.ok && verdict.isNew
      ? {
          op: 'workspace.moved',
          subject: { type: 'workspace', uid: workspace },
          payloadHash: manifestHash,
          details: { to },
        }
      : undefined,
  refusals: {
    workspace_unknown: workspaceUnknown,
    already_moved: 'The workspace has been moved on from the new cell.',
  },
});

async function lockWorkspace(em: Em, { workspace }: { workspace: string }): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`move ${workspace}`}, 0))`.execute(
    em.getKysely(),
  );
}

/** Returns where a workspace is that rests in this cell. */
export async function moveOf(em: Em, workspace: string): Promise<MoveState | undefined> {
  const { rows } = await sql<MoveState>`
    select state, to_cell as to from workspace_move where workspace_uid = ${workspace}
  `.execute(em.getKysely());
  return rows[0];
}
