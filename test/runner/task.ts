/** The task of a child: run one test file. */
export type Task = { file: string; grep?: string; colour: boolean };

/**
 * The result of a child for one file. The child sends the text of the report over its standard output, up to
 * the mark `END`.
 */
export type Outcome = {
  passed: number;
  failed: number;
  pending: number;
  wallSeconds: number;
  /** Processor time of the child and of all processes that it started, except the database. */
  processorSeconds: number;
};

/** The mark that a child writes after the report of a file, when no more output of that file follows. */
export const END = '\u0000\u0000';

/**
 * Time limit of every test and hook, in milliseconds. A wait by `eventually` fails long before this limit.
 */
export const TEST_TIMEOUT_MS = 600_000;

/**
 * The time in milliseconds that an aborted process has to end its services. After this time its whole process
 * group is killed.
 */
export const GRACE_MS = 5_000;
