/** What a child is asked to do: run one file of tests. */
export type Task = { file: string; grep?: string; colour: boolean };

/** What a child found in a file. Its report in words comes over its standard output, up to `END`. */
export type Outcome = {
  passed: number;
  failed: number;
  pending: number;
  wallSeconds: number;
  /** Of the child and of all that it started, the database apart. */
  processorSeconds: number;
};

/** Written behind the report of a file, and behind the last words of a child. */
export const END = '\u0000\u0000';

/** Time limit of every test and hook, in milliseconds. A wait that is stuck fails long before, by `eventually`. */
export const TEST_TIMEOUT_MS = 600_000;

/** A process that was given up may end its services for so long before its whole process group is killed. */
export const GRACE_MS = 5_000;
