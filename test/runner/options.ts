import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Amount } from './files.ts';

export type Options = {
  amount: Amount;
  /** Children that run tests side by side. */
  jobs: number;
  /** Only tests whose title matches. */
  grep: string | undefined;
  /** Prints every title, and not only what failed. */
  titles: boolean;
  /** Rewrites `durations.json` with what the files took. */
  record: boolean;
  /** Only these files; types, lint and format are left out then. */
  files: string[];
};

/** More children than this would each start a service of their own for little to do. */
const JOBS_MAX = 4;

/** The words behind `npm test --` and `npm run test:full --`. Throws on an unknown one. */
export function readOptions(words: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      full: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      jobs: { type: 'string', default: String(Math.min(availableParallelism(), JOBS_MAX)) },
      grep: { type: 'string' },
      titles: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
    },
  });
  const { full, all, jobs, grep, titles, record } = values;
  return {
    amount: all ? 'all' : full ? 'full' : 'usual',
    jobs: Math.max(1, Number.parseInt(jobs, 10) || 1),
    grep,
    titles,
    record,
    files: positionals,
  };
}
