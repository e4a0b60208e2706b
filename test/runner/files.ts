import { globSync, readFileSync } from 'node:fs';
import { redisIsThere } from '../support/redis.ts';

/**
 * Which tests are run: `usual` is `npm test`, `full` is the first tier of `npm run test:full`, and `all` is
 * every test.
 */
export type Amount = 'usual' | 'full' | 'all';

/**
 * A group of files that one process can run one after another: those with the same queue backend, or without
 * a service.
 */
export type Lane = 'postgres' | 'redis' | 'none';

export type Lanes = Record<Lane, string[]>;

/**
 * The names of the functions that define a test on each backend. A file that uses one of them runs on each
 * backend.
 */
const ON_EACH = ['onEachBackend(', 'backendNames'];
const ALL_FOLDER = 'test/full/all/';
const SERVICE_FOLDERS = ['test/live/', 'test/contract/', 'test/full/'];

/**
 * Returns the test files that belong to an amount of tests. `usual` has all files outside `test/full`. `full` has the
 * files in `test/full`, without `test/full/all`. `all` has every file.
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

/**
 * Sorts the files by their earlier duration, the longest first, so that no process is left with a long file
 * at the end.
 */
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
