import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ruleFiles, rules, type RuleFile, type Rules } from './rules.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A defect: one snippet of a file of the rules, and its replacement. */
export type Mutation = { file: RuleFile; find: string; replace: string };

/**
 * Loads the rules with a defect. The rules that the defect can reach are written to a separate folder and loaded from
 * there; all other rules are loaded unchanged. A snippet that does not occur exactly once in the file is an error,
 * because the defect would then be missing or ambiguous.
 */
export async function loadMutant({ file, find, replace }: Mutation, folder: string): Promise<Rules> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  const loaded: Record<string, unknown> = { ...rules };
  const reached = reachedFrom(file);
  for (const each of reached) {
    const text = readFileSync(path.join(ROOT, each), 'utf8');
    const parts = each === file ? text.split(find) : [text];
    if (each === file && parts.length !== 2) {
      throw new Error(`${JSON.stringify(find)} is ${parts.length - 1} times in ${file}`);
    }
    const to = path.join(folder, each);
    mkdirSync(path.dirname(to), { recursive: true });
    writeFileSync(to, relinked(parts.join(replace), each, { folder, reached }));
  }
  for (const each of reached) {
    Object.assign(loaded, await import(pathToFileURL(path.join(folder, each)).href));
  }
  return loaded as Rules;
}

/** Returns a file of the rules, and all rules that import it, directly or indirectly. */
function reachedFrom(file: RuleFile): readonly RuleFile[] {
  const reached = new Set([file]);
  for (const to of reached) {
    for (const each of ruleFiles) if (importsOf(each).includes(to)) reached.add(each);
  }
  return [...reached];
}

const IMPORT = /(\bfrom\s*)'([^']+)'/g;

function importsOf(file: RuleFile): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, , to]) => targetOf(to!, file));
}

/** Returns the path of an imported file. The name of a package is returned unchanged. */
function targetOf(to: string, from: string): string {
  if (to.startsWith('#')) return to.slice(1);
  return to.startsWith('.') ? path.posix.join(path.posix.dirname(from), to) : to;
}

/**
 * Rewrites imports: imports of affected rules point to the separate folder, and all other imports keep their
 * target.
 */
function relinked(
  text: string,
  from: string,
  { folder, reached }: { folder: string; reached: readonly string[] },
): string {
  return text.replace(IMPORT, (_, word: string, to: string) => {
    if (!to.startsWith('#') && !to.startsWith('.')) return `${word}'${import.meta.resolve(to)}'`;
    const target = targetOf(to, from);
    return `${word}'${pathToFileURL(path.join(reached.includes(target) ? folder : ROOT, target)).href}'`;
  });
}
