import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import path from 'node:path';

/** Imports all files of a folder that match a pattern, in path order, and returns their exports. */
export async function exportsBelow(folder: string, pattern: string): Promise<unknown[]> {
  const files = globSync(pattern, { cwd: folder }).sort();
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(path.join(folder, file)).href) as Promise<object>),
  );
  return modules.flatMap((module) => Object.values(module) as unknown[]);
}
