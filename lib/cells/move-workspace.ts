import type { Clock } from '#lib/core/clock.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { governOrRefuse, type Request } from '#lib/governance/govern.ts';
import { awaitWriters } from './await-writers.ts';
import { referencesIn, refuseReferences } from './foreign-references.ts';
import { lockMove, type MoveLock } from './move-lock.ts';
import { beginMove, completeMove, giveUpMove, moveOf, recordArrival } from './move.command.ts';
import { importedFrom, noteManifest, notedManifest } from './move-record.query.ts';
import type { Stage } from './move-state.ts';
import { CellRefused } from './refused.ts';
import { transferWorkspace, type CellAccess } from './transfer-workspace.ts';

export type Move = {
  workspace: string;
  /** The name of the target cell, and the address at which callers reach it. */
  to: string;
  address: string;
  /** The person who moves the workspace. */
  actor: Request<{ workspace: string; environment?: undefined }>['actor'];
  clock: Clock;
  /** The folder for the temporary export. Only the owner of the process can read the file. */
  folder: string;
  /** How long the move waits for transactions that began before the freeze, in milliseconds. */
  waitMs: number;
};

export type Moved = {
  manifestHash: string;
  /** The rows that were copied, and the number of seals that were recomputed; null if an earlier command imported them. */
  rows: number | null;
  seals: number | null;
  /** How long the workspace accepted no writes, in milliseconds; null if an earlier command froze it. */
  frozenMs: number | null;
};

/**
 * Moves a workspace to another cell: freezes it, waits for writes in progress, exports it, and imports it, which verifies
 * its logs and seals before the commit. Then the old cell refers callers to the new one. If a step fails before the
 * import is committed, the workspace accepts writes again in the old cell, and the target does not have it. A move whose
 * process died can be run again. Refuses a move that another process is running.
 */
export async function moveWorkspace(source: CellAccess, target: CellAccess, move: Move): Promise<Moved> {
  const lock = await lockMove({ source: source.url, target: target.url }, move.workspace);
  try {
    await lock.awaitImport();
    return await moveLocked({ source, target, lock }, move);
  } finally {
    await lock.release();
  }
}

type Cells = { source: CellAccess; target: CellAccess; lock: MoveLock };

async function moveLocked(cells: Cells, move: Move): Promise<Moved> {
  const { source, target } = cells;
  const { workspace, to, address, actor, clock } = move;
  if (!(await inPlatform(source.orm, (em) => moveOf(em, workspace))))
    refuseReferences(await referencesIn(source.url, workspace));
  const { result } = await governOrRefuse(
    source.orm,
    beginMove,
    { workspace, to, address },
    { actor, clock },
  );
  const started = performance.now();
  const copied =
    result.stage === 'completed' ? await copiedBefore(cells, workspace) : await bring(cells, move, result);
  const { manifestHash } = copied;
  if (result.stage !== 'completed')
    await governOrRefuse(source.orm, completeMove, { workspace, manifestHash }, { actor: unnamed, clock });
  const frozenMs = result.stage === 'new' ? Math.round(performance.now() - started) : null;
  await governOrRefuse(target.orm, recordArrival, { workspace, to, manifestHash }, { actor: unnamed, clock });
  return { ...copied, frozenMs };
}

type Copied = Omit<Moved, 'frozenMs'>;

/** Returns the import of this move in the target, after copying the workspace if the target has none. */
async function bring(cells: Cells, move: Move, { stage }: { stage: Stage }): Promise<Copied> {
  try {
    const earlier = stage === 'interrupted' ? await committedImport(cells, move.workspace) : undefined;
    return earlier ?? (await copy(cells, move));
  } catch (error) {
    await undo(cells, move, error);
    throw error;
  }
}

async function copy({ source, target }: Cells, move: Move): Promise<Copied> {
  const { workspace, waitMs } = move;
  await awaitWriters(source.url, waitMs);
  const { manifest, manifestHash, seals } = await transferWorkspace({ source, target }, move, {
    noteExport: (hash) => inPlatform(source.orm, (em) => noteManifest(em, workspace, hash)),
    proveReturn: async () => unnamed, // the person was proven in the source
  });
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return { manifestHash, rows, seals };
}

/**
 * Lets the workspace accept writes again, once it is certain that the target does not have it from this move and will not
 * get it. If that is not certain, the workspace stays frozen.
 */
async function undo(cells: Cells, { workspace, to, clock }: Move, error: unknown): Promise<void> {
  if (!(await isOut(cells, workspace).catch(() => false))) {
    throw new CellRefused(
      'move_undecided',
      'the target may have the workspace, so it stays frozen; run the move again once the target answers',
      { cause: error },
    );
  }
  const reason = error instanceof Refusal ? error.code : 'error';
  await governOrRefuse(cells.source.orm, giveUpMove, { workspace, to, reason }, { actor: unnamed, clock });
}

/** Whether no import of this move has been committed in the target, and none can be. */
async function isOut({ source, target, lock }: Cells, workspace: string): Promise<boolean> {
  await lock.assertHeld();
  // An import begins after its manifest was noted, and no other process moves the workspace.
  const manifestHash = await inPlatform(source.orm, (em) => notedManifest(em, workspace));
  if (manifestHash === undefined) return true;
  await lock.awaitImport();
  return !(await inPlatform(target.orm, (em) => importedFrom(em, workspace, manifestHash)));
}

/**
 * Returns the outcome of the import of an interrupted move, if the target has committed it. Its process may have died
 * between that commit and the record in the old cell.
 */
async function committedImport(cells: Cells, workspace: string): Promise<Copied | undefined> {
  const manifestHash = await inPlatform(cells.source.orm, (em) => notedManifest(em, workspace));
  if (manifestHash === undefined) return undefined;
  return (await inPlatform(cells.target.orm, (em) => importedFrom(em, workspace, manifestHash)))
    ? { manifestHash, rows: null, seals: null }
    : undefined;
}

/** Returns the import of a completed move. */
async function copiedBefore(cells: Cells, workspace: string): Promise<Copied> {
  const copied = await committedImport(cells, workspace);
  if (copied) return copied;
  throw new CellRefused('move_undecided', 'the target does not have the import that this cell has recorded');
}
