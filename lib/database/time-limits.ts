/** Statement time limits in milliseconds, by kind of work. */
export const statementLimitsMs = {
  apiRead: 15_000,
  apiWrite: 30_000,
  housekeeping: 120_000,
  worker: 600_000,
} as const;

/**
 * Time limits in milliseconds of a transaction that waits for the next statement of its process, by kind of
 * process. After this time the server ends the transaction, so that a process that hangs inside a transaction
 * does not keep its locks. The limit of the API is longer, because its transactions may wait until a client
 * has read a stream.
 */
export const idleLimitsMs = { api: 120_000, worker: 60_000 } as const;

/** Milliseconds after the time limit of a statement at which a process stops waiting for the server. */
const SLACK_MS = 10_000;

/**
 * The longest time in milliseconds for which a process waits for a server that sends nothing, by kind of process. The
 * server normally ends a statement earlier, at its time limit. A server that cannot be reached any more does not.
 */
export const silenceLimitsMs = {
  api: statementLimitsMs.apiWrite + SLACK_MS,
  housekeeping: statementLimitsMs.housekeeping + SLACK_MS,
  worker: statementLimitsMs.worker + SLACK_MS,
} as const;
