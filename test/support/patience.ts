/** The wall-clock time of the calibration loop when the run of the tests began, in seconds. */
const unitSeconds = Number(process.env['TEST_UNIT_SECONDS'] ?? 0);

/** The factor by which this machine may be slower than a fast machine: at least 1. */
export const SLOWNESS = Math.max(1, 1.5 * unitSeconds);

/** How long a test waits while nothing changes, in milliseconds. */
export const PATIENCE_MS = Math.round(60_000 * SLOWNESS);

/**
 * Converts a duration on a fast machine to a duration on this machine, both in milliseconds. Used for time
 * limits that expire in a test.
 */
export const slowed = (ms: number) => Math.round(ms * SLOWNESS);

/**
 * Time limits of the services in tests, in milliseconds. They are raised so that they do not expire merely
 * because the machine is slow.
 */
export const patientLimits = {
  RUN_WAIT_MS: '60000',
  DATABASE_WAIT_MS: String(Math.min(60_000, slowed(20_000))),
  LOCK_MS: String(slowed(5_000)),
  DRAIN_MS: String(Math.min(600_000, slowed(25_000))),
};
