/*
 * Shifts the clock of a process: `Date` without arguments and `Date.now` begin at the instant of the variable
 * QLM_CLOCK when the first process starts. The harness imports this file into every process.
 */
const offsetMs = Number(process.env['QLM_CLOCK_OFFSET_MS'] ?? '0');
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(RealDate.now() + offsetMs);
    else super(...(given as [number]));
  }
  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

if (offsetMs !== 0) globalThis.Date = ShiftedDate as DateConstructor;
