import { Readable } from 'node:stream';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { endOf, lineOf } from './export.ts';
import { countPlaceless, readLeaves } from './log.query.ts';
import { newestCheckpoint, type Checkpoint } from './tree.query.ts';

/**
 * Passes the entries that have a position in the log tree, and their checkpoint, to `write` as JSON lines.
 * Reads the log of the tenant of `em`. Returns a summary.
 */
export async function exportLog(em: Em, write: (lines: Readable) => Promise<void>) {
  const newest = await newestCheckpoint(em);
  await write(Readable.from(linesOf(em, newest)));
  const { pending } = await countPlaceless(em);
  return { entries: newest?.size ?? 0, root_hash: newest?.root ?? null, not_placed: pending };
}

async function* linesOf(em: Em, newest: Checkpoint | undefined): AsyncGenerator<string> {
  for await (const leaves of readLeaves(em, newest?.size ?? 0)) yield leaves.map(lineOf).join('');
  yield endOf(tenantOf(em), newest);
}
