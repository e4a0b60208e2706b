import { readdirSync, readFileSync } from 'node:fs';
import { sha256 } from '#lib/core/seal.ts';

/** The folders of the code that answers and scores questions. */
const FOLDERS = [
  '../',
  './',
  '../language/',
  '../language/frames/',
  '../facts/',
  '../readers/',
  '../wording/',
  '../evaluation/',
];

let known: string | undefined;

/**
 * Returns the SHA-256 of the code that answers and scores questions. Another release with other words, frames or figures
 * has another hash, so that a replay can distinguish a changed engine from a changed result.
 */
export function engineHash(): string {
  known ??= sha256(
    FOLDERS.flatMap((folder) => {
      const url = new URL(folder, import.meta.url);
      return readdirSync(url)
        .filter((name) => name.endsWith('.ts'))
        .sort()
        .map((name) => `${folder}${name}\n${readFileSync(new URL(name, url), 'utf8')}`);
    }).join('\n'),
  );
  return known;
}

/**
 * Whether the engine of this release sealed an answer or the input of an evaluation. Those of the first releases name no
 * engine.
 */
export function hasSameEngine({ engine_hash: sealed }: { engine_hash?: string | undefined }): boolean {
  return sealed === engineHash();
}
