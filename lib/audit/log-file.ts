import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportLines, verifyExport } from './export.ts';
import { Refusal } from '#lib/core/refusal.ts';

/** Writes the lines of a log into a new file, or to stdout for `-`. */
export async function writeLines(lines: Readable, file: string): Promise<void> {
  try {
    if (file === '-') await pipeline(lines, process.stdout as Writable, { end: false });
    else await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  } catch (error) {
    throw fileRefusal(error);
  }
}

/**
 * Recomputes an exported log. This proves that the file is complete, but not which log it comes from. To check the
 * origin, compare the recomputed root with the root that the service states for its log.
 */
export async function verifyFile(file: string) {
  const checked = await verifyExport(exportLines(createReadStream(file))).catch((error: unknown) => {
    throw fileRefusal(error);
  });
  const { workspace, environment, checkpoint } = checked;
  const { tree_size: entries, ...newest } = checkpoint;
  return { file, workspace, environment, entries, ...newest };
}

/**
 * Returns the refusal that explains why a file cannot be used. Errors that do not come from the file system are
 * returned unchanged.
 */
export function fileRefusal(error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') return new Refusal('file_exists', 'the file already exists');
  return syscall === undefined ? error : new Refusal('file_unusable', message);
}
