/** What the calibration loop took when the run began, of wall time. */
const unitSeconds = Number(process.env['TEST_UNIT_SECONDS'] ?? 0);

/** How many times what a quick machine takes this one may take: at least 1. */
export const SLOWNESS = Math.max(1, 1.5 * unitSeconds);

/** How long a test bears that nothing moves, in milliseconds. */
export const PATIENCE_MS = Math.round(60_000 * SLOWNESS);

/** Milliseconds that mean the same here as on a quick machine: for the limits of what is tested, which may run out. */
export const slowed = (ms: number) => Math.round(ms * SLOWNESS);

/** Limits of the services that would run out on a slow machine alone. */
export const patientLimits = {
  RUN_WAIT_MS: '60000',
  DATABASE_WAIT_MS: String(Math.min(60_000, slowed(20_000))),
  LOCK_MS: String(slowed(5_000)),
  DRAIN_MS: String(Math.min(600_000, slowed(25_000))),
};
