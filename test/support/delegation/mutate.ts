import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ruleFiles, type RuleFile, type Rules } from './rules.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A defect: one snippet of a file of the rules, and what stands there instead. */
export type Mutation = { file: RuleFile; find: string; replace: string };

/**
 * The rules with a defect, written into a folder of their own and loaded from there. A snippet that is not in the file
 * exactly once is an error: the defect would otherwise be none, or another one.
 */
export async function loadMutant({ file, find, replace }: Mutation, folder: string): Promise<Rules> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  const loaded: Record<string, unknown> = {};
  for (const each of ruleFiles) {
    const text = readFileSync(path.join(ROOT, each), 'utf8');
    const parts = each === file ? text.split(find) : [text];
    if (each === file && parts.length !== 2) {
      throw new Error(`${JSON.stringify(find)} is ${parts.length - 1} times in ${file}`);
    }
    const to = path.join(folder, each);
    mkdirSync(path.dirname(to), { recursive: true });
    writeFileSync(to, relinked(parts.join(replace), each, folder));
  }
  for (const each of ruleFiles) {
    Object.assign(loaded, await import(pathToFileURL(path.join(folder, each)).href));
  }
  return loaded as Rules;
}

/** Imports of rules lead to the folder; all others to where they led before. */
function relinked(text: string, from: string, folder: string): string {
  return text.replace(/(\bfrom\s*)'(#lib\/[^']+|\.[^']+|[^']+)'/g, (_, word: string, to: string) => {
    if (!to.startsWith('#') && !to.startsWith('.')) return `${word}'${import.meta.resolve(to)}'`;
    const target = to.startsWith('#') ? to.slice(1) : path.posix.join(path.posix.dirname(from), to);
    const isRule = (ruleFiles as readonly string[]).includes(target);
    return `${word}'${pathToFileURL(path.join(isRule ? folder : ROOT, target)).href}'`;
  });
}
