import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Amount } from './files.ts';

export type Options = {
  amount: Amount;
  /** Number of children that run tests in parallel. */
  jobs: number;
  /** Runs only tests whose title matches. */
  grep: string | undefined;
  /** Prints the title of every test, and not only the failures. */
  titles: boolean;
  /** Runs the services of the tests behind PgBouncer in transaction mode. */
  pooler: boolean;
  /** Rewrites `durations.json` with the durations of the files. */
  record: boolean;
  /** Runs only these files, without types, lint and format. */
  files: string[];
};

/** The maximum number of children. More children would each start their own service for little work. */
const JOBS_MAX = 4;

/** Parses the arguments after `npm test --` and `npm run test:full --`. Throws on an unknown argument. */
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
      pooler: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
    },
  });
  const { full, all, jobs, grep, titles, pooler, record } = values;
  return {
    amount: all ? 'all' : full ? 'full' : 'usual',
    jobs: Math.max(1, Number.parseInt(jobs, 10) || 1),
    grep,
    titles,
    pooler,
    record,
    files: positionals,
  };
}
