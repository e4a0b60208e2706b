import { resolve } from 'node:path';
import { ImportRefused } from './import-refused.ts';
import { RejectsFile } from './rejects-file.ts';

/** The treatment of the faulty rows of a file. */
export type SkippedRows = {
  /** Whether to load the valid rows of a file with errors. Default: refuse the whole file. */
  skipBad?: boolean | undefined;
  /** The path of the file for skipped rows. Default: none. */
  rejectsPath?: string | undefined;
};

/** Returns the file for the skipped rows of an import; undefined if the import writes no such file. */
export function rejectsFileOf({
  path,
  skipBad,
  rejectsPath,
}: SkippedRows & { path: string }): RejectsFile | undefined {
  if (!skipBad || rejectsPath === undefined) return undefined;
  if (resolve(rejectsPath) === resolve(path))
    throw new ImportRefused('import_refused', 'the rejects file must differ from the imported file');
  return new RejectsFile(rejectsPath);
}

/** Performs a part of an import. If this part fails, the file for skipped rows is deleted. */
export async function discardingRejects<T>(
  rejects: RejectsFile | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await rejects?.discard();
    throw error;
  }
}
