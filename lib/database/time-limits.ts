/** How long one statement may take in milliseconds, by the kind of work that it is part of. */
export const statementLimitsMs = {
  apiRead: 15_000,
  apiWrite: 30_000,
  housekeeping: 120_000,
  worker: 600_000,
} as const;
