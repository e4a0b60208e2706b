import type { Role } from './roles.ts';

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

/** The parameters of PostgreSQL that limit the time of a statement, and of a transaction between two statements. */
export const roleLimits = ['statement_timeout', 'idle_in_transaction_session_timeout'] as const;
export type RoleLimit = (typeof roleLimits)[number];

/**
 * The limits in milliseconds that the database roles need if a pooler drops the limits that a process sets on its
 * connections, by role and parameter of PostgreSQL.
 */
export const roleLimitsMs: Readonly<Partial<Record<Role, Readonly<Record<RoleLimit, number>>>>> = {
  api: {
    statement_timeout: statementLimitsMs.apiRead,
    idle_in_transaction_session_timeout: idleLimitsMs.api,
  },
  worker: {
    statement_timeout: statementLimitsMs.worker,
    idle_in_transaction_session_timeout: idleLimitsMs.worker,
  },
  console: {
    statement_timeout: statementLimitsMs.apiRead,
    idle_in_transaction_session_timeout: idleLimitsMs.api,
  },
};

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
