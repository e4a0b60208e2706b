import { globSync, readFileSync } from 'node:fs';
import { redisIsThere } from '../support/redis.ts';

/** How much of the tests is run: `npm test`; the first tier of `test:full`; all of it. */
export type Amount = 'usual' | 'full' | 'all';

/** What files have in common that one process can run after another: the queue backend of their service, or none. */
export type Lane = 'postgres' | 'redis' | 'none';

export type Lanes = Record<Lane, string[]>;

/** What tells the tests that run on each backend: the way they are defined. */
const ON_EACH = ['onEachBackend(', 'backendNames'];
const ALL_FOLDER = 'test/full/all/';
const SERVICE_FOLDERS = ['test/live/', 'test/contract/', 'test/full/'];

/**
 * The files of an amount: `full` is the folder of that name but for `full/all`; `all` is every file there is, each test
 * that repeats something then repeats it most often, and on each queue backend.
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

/** The file that took longest before first, so that no process is left alone with a long one. */
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
