import { globSync, readFileSync } from 'node:fs';
import { redisIsThere } from '../support/redis.ts';

/** The amount of tests that is run: `npm test`; the first tier of `test:full`; all of it. */
export type Amount = 'usual' | 'full' | 'all';

/**
 * The property that files share if one process can run them one after another: the queue backend of their
 * service, or none.
 */
export type Lane = 'postgres' | 'redis' | 'none';

export type Lanes = Record<Lane, string[]>;

/** The definitions that identify the tests that run on each backend. */
const ON_EACH = ['onEachBackend(', 'backendNames'];
const ALL_FOLDER = 'test/full/all/';
const SERVICE_FOLDERS = ['test/live/', 'test/contract/', 'test/full/'];

/**
 * Returns the files of an amount: `full` is the folder of that name without `full/all`. `all` is every file;
 * repeated tests then repeat most often, on each queue backend.
 */
export function findFiles(amount: Amount): string[] {
  const files = globSync('test/**/*.test.ts').sort();
  if (amount === 'all') return files;
  const isFull = (file: string) => file.startsWith('test/full/');
  return files.filter((file) =>
    amount === 'usual' ? !isFull(file) : isFull(file) && !file.startsWith(ALL_FOLDER),
  );
}

export function intoLanes(files: readonly string[], amount: Amount): Lanes {
  const live = files.filter((file) => SERVICE_FOLDERS.some((folder) => file.startsWith(folder)));
  return {
    postgres: live,
    redis: redisIsThere() ? live.filter((file) => amount === 'all' || includes(file, ON_EACH)) : [],
    none: files.filter((file) => !live.includes(file)),
  };
}

/** Files that took longest before come first, so that no process is left alone with a long one. */
export function longestFirst(
  files: readonly string[],
  durations: Readonly<Record<string, number>>,
): string[] {
  const guess = (file: string) => durations[file] ?? 1;
  return [...files].sort((a, b) => guess(b) - guess(a) || (a < b ? -1 : 1));
}

function includes(file: string, texts: readonly string[]): boolean {
  const source = readFileSync(file, 'utf8');
  return texts.some((text) => source.includes(text));
}
