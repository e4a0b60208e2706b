const HOUR = 3_600_000;

/**
 * Time zones with simple clock rules, so that the local day can be computed without a library. Each function
 * returns the offset from UTC.
 */
export const zones: Readonly<Record<string, (instant: number) => number>> = {
  UTC: () => 0,
  'Asia/Kolkata': () => 5.5 * HOUR,
  'Asia/Kathmandu': () => 5.75 * HOUR,
  'Pacific/Kiritimati': () => 14 * HOUR,
  'Pacific/Pago_Pago': () => -11 * HOUR,
  // Clocks change on the last Sundays of March and October, at 1:00 UTC.
  'Europe/Berlin': (instant) => {
    const year = new Date(instant).getUTCFullYear();
    const isSummer = sunday(year, 2, -1) + HOUR <= instant && instant < sunday(year, 9, -1) + HOUR;
    return (isSummer ? 2 : 1) * HOUR;
  },
  // Clocks change on the second Sunday of March and the first Sunday of November, at 2:00 local time.
  'America/New_York': (instant) => {
    const year = new Date(instant).getUTCFullYear();
    const isSummer = sunday(year, 2, 2) + 7 * HOUR <= instant && instant < sunday(year, 10, 1) + 6 * HOUR;
    return (isSummer ? -4 : -5) * HOUR;
  },
};

/** Returns the calendar day and month of an instant in one of the zones. */
export function localDay(instant: Date, zone: string): { day: string; month: string } {
  const day = new Date(instant.getTime() + zones[zone]!(instant.getTime())).toISOString().slice(0, 10);
  return { day, month: day.slice(0, 7) };
}

/** Returns the n-th Sunday of a month (counted from 0), or the last Sunday, at 0:00 UTC. */
function sunday(year: number, month: number, nth: number): number {
  if (nth < 0) {
    const last = Date.UTC(year, month + 1, 0);
    return last - new Date(last).getUTCDay() * 24 * HOUR;
  }
  const first = Date.UTC(year, month, 1);
  return first + (((7 - new Date(first).getUTCDay()) % 7) + (nth - 1) * 7) * 24 * HOUR;
}
