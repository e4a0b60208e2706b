/** Statement time limits in milliseconds, by kind of work. */
export const statementLimitsMs = {
  apiRead: 15_000,
  apiWrite: 30_000,
  housekeeping: 120_000,
  worker: 600_000,
} as const;
