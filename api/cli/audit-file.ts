import { createReadStream, createWriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { endOf, exportLines, lineOf, verifyExport } from '#lib/audit/export.ts';
import { countPlaceless, readLeaves } from '#lib/audit/log.repository.ts';
import { newestCheckpoint, type Checkpoint } from '#lib/audit/tree.repository.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { Refusal } from '#lib/core/refusal.ts';

/** Writes the placed entries of the em's tenant and their checkpoint into a new file, or to stdout for `-`. */
export async function exportLog(em: Em, file: string) {
  const newest = await newestCheckpoint(em);
  const lines = Readable.from(linesOf(em, newest));
  try {
    if (file === '-') await pipeline(lines, process.stdout as Writable, { end: false });
    else await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  } catch (error) {
    throw fileRefusal(error);
  }
  const { pending } = await countPlaceless(em);
  return { entries: newest?.size ?? 0, root_hash: newest?.root ?? null, not_placed: pending };
}

async function* linesOf(em: Em, newest: Checkpoint | undefined): AsyncGenerator<string> {
  for await (const leaves of readLeaves(em, newest?.size ?? 0)) yield leaves.map(lineOf).join('');
  yield endOf(tenantOf(em), newest);
}

/** Recomputes an exported log. It proves that the file is whole, not whose it is: compare the root with the log's. */
export async function verifyFile(file: string) {
  const checked = await verifyExport(exportLines(createReadStream(file))).catch((error: unknown) => {
    throw fileRefusal(error);
  });
  const { workspace, environment, checkpoint } = checked;
  const { tree_size: entries, ...newest } = checkpoint;
  return { file, workspace, environment, entries, ...newest };
}

/** What a person is told of a file that cannot be used. */
export function fileRefusal(error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') return new Refusal('file_exists', 'the file is there already');
  return syscall === undefined ? error : new Refusal('file_unusable', message);
}
