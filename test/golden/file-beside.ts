import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GoldenFileError } from './report.ts';

/**
 * Returns the text of a file with this name from the folder of the golden file, or else from the project's
 * folder of golden files. Throws a `GoldenFileError` if neither folder has the file.
 */
export function fileBeside(path: string, name: string): string {
  const found = [dirname(path), import.meta.dirname]
    .map((folder) => join(folder, name))
    .find((each) => existsSync(each));
  if (found === undefined) throw new GoldenFileError(`there is no ${name} beside it`);
  return readFileSync(found, 'utf8');
}
