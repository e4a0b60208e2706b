/** The number of square roots in one calibration. */
const ROOTS = 3e8;

/** The time that one core of this machine currently needs for the calibration loop. */
export type Calibration = {
  /** Processor time in seconds: the unit of every budget. */
  processorSeconds: number;
  /** Wall-clock time in seconds: longer than the processor time if other work or a quota occupies the core. */
  wallSeconds: number;
};

/**
 * Runs the calibration loop once. Budgets are multiples of its time, so that they are comparable on fast and
 * slow machines.
 */
export function calibrate(): Calibration {
  const [startedAt, usedBefore] = [performance.now(), process.cpuUsage()];
  let sum = 0;
  for (let at = 0; at < ROOTS; at++) sum += Math.sqrt(at);
  const used = process.cpuUsage(usedBefore);
  if (!(sum > 0)) throw new Error('the calibration loop was optimised away');
  return {
    processorSeconds: (used.user + used.system) / 1e6,
    wallSeconds: (performance.now() - startedAt) / 1_000,
  };
}
