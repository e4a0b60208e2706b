import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#lib/core/clock.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { governOrRefuse, type Request } from '#lib/governance/govern.ts';
import { awaitWriters } from './await-writers.ts';
import { exportWorkspace } from './export-workspace.ts';
import { importWorkspace } from './import-workspace.ts';
import { beginMove, completeMove, giveUpMove, recordArrival } from './move.command.ts';
import { importedFrom, noteManifest, notedManifest } from './move-record.query.ts';
import { placeOfWorkspace } from '#lib/access/workspace.query.ts';
import { CellRefused } from './refused.ts';
import type { CellKeys } from './secrets.ts';

/** A cell as the operator reaches it. */
export type CellAccess = {
  /** The URL of a role that sees every row. */
  url: string;
  /** The database with the operator's role. */
  orm: Orm;
  keys: CellKeys;
};

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
  rows: number;
  /** The number of seals that were recomputed. */
  seals: number;
  /** How long the workspace accepted no writes, in milliseconds. */
  frozenMs: number;
};

/**
 * Moves a workspace to another cell: freezes it, waits for writes in progress, exports it, and imports it, which verifies
 * its logs and seals before the commit. Then the old cell refers callers to the new one. If a step fails before the
 * import is committed, the workspace accepts writes again in the old cell, and the target does not have it. A move whose
 * process died can be run again.
 */
export async function moveWorkspace(source: CellAccess, target: CellAccess, move: Move): Promise<Moved> {
  const { workspace, to, address, actor, clock } = move;
  const begun = await governOrRefuse(source.orm, beginMove, { workspace, to, address }, { actor, clock });
  const started = performance.now();
  let copied: Omit<Moved, 'frozenMs'>;
  try {
    const earlier = begun.result.isResumed ? await committedImport(source, target, workspace) : undefined;
    copied = earlier ?? (await copy(source, target, move));
  } catch (error) {
    await undo(source, target, move, error);
    throw error;
  }
  const { manifestHash } = copied;
  await governOrRefuse(source.orm, completeMove, { workspace, manifestHash }, { actor: unnamed, clock });
  const frozenMs = Math.round(performance.now() - started);
  await governOrRefuse(target.orm, recordArrival, { workspace, to, manifestHash }, { actor: unnamed, clock });
  return { ...copied, frozenMs };
}

async function copy(
  source: CellAccess,
  target: CellAccess,
  { workspace, clock, folder, waitMs }: Move,
): Promise<Omit<Moved, 'frozenMs'>> {
  await awaitWriters(source.url, waitMs);
  const own = await mkdtemp(path.join(folder, 'assay-move-'));
  try {
    const file = path.join(own, 'workspace.assay');
    const { manifest, secret } = await exportWorkspace(source.url, workspace, file, {
      clock,
      keys: source.keys,
    });
    const manifestHash = canonicalHash(manifest);
    await inPlatform(source.orm, (em) => noteManifest(em, workspace, manifestHash));
    const { seals } = await importWorkspace(target.url, file, {
      secret,
      keys: target.keys,
      trustedKeys: manifest.signing_keys.map(({ keyid }) => keyid),
      proveReturn: async () => unnamed, // the person was proven in the source
      clock,
    });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { manifestHash, rows, seals };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/**
 * Lets the workspace accept writes again, once it is certain that the target does not have it. If that is not certain, the
 * workspace stays frozen.
 */
async function undo(
  source: CellAccess,
  target: CellAccess,
  { workspace, to, clock }: Move,
  error: unknown,
): Promise<void> {
  // A refusal comes before the commit of the import. After any other error, only the target knows.
  const isOut = error instanceof Refusal || !(await isIn(target, workspace).catch(() => true));
  if (!isOut) {
    throw new CellRefused(
      'move_undecided',
      'the target may have the workspace, so it stays frozen; run the move again once the target answers',
      { cause: error },
    );
  }
  const reason = error instanceof Refusal ? error.code : 'error';
  await governOrRefuse(source.orm, giveUpMove, { workspace, to, reason }, { actor: unnamed, clock });
}

/**
 * Returns the outcome of the import of an interrupted move, if the target has committed it. Its process may have died
 * between that commit and the record in the old cell.
 */
async function committedImport(
  source: CellAccess,
  target: CellAccess,
  workspace: string,
): Promise<Omit<Moved, 'frozenMs'> | undefined> {
  const manifestHash = await inPlatform(source.orm, (em) => notedManifest(em, workspace));
  if (manifestHash === undefined) return undefined;
  return (await inPlatform(target.orm, (em) => importedFrom(em, workspace, manifestHash)))
    ? { manifestHash, rows: 0, seals: 0 }
    : undefined;
}

async function isIn({ orm }: CellAccess, workspace: string): Promise<boolean> {
  return (await inPlatform(orm, (em) => placeOfWorkspace(em, workspace))) !== undefined;
}
