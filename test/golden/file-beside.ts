import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GoldenFileError } from './report.ts';

/** The text of a file of this name beside a golden file, or beside our own. Throws a `GoldenFileError` without one. */
export function fileBeside(path: string, name: string): string {
  const found = [dirname(path), import.meta.dirname]
    .map((folder) => join(folder, name))
    .find((each) => existsSync(each));
  if (found === undefined) throw new GoldenFileError(`there is no ${name} beside it`);
  return readFileSync(found, 'utf8');
}
