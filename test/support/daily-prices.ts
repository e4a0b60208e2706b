import { addDays, dayNumber } from '#lib/core/date.ts';

/**
 * The parameters of a deterministic price path of one symbol: the first price, the relative drift per day and
 * the relative amplitude of its oscillation.
 */
export type DailyPath = { symbol: string; start: number; drift: number; swing: number };

/** Returns the weekdays from a day on. The first day of 1970, day 0, was a Thursday. */
export function weekdays(from: string, count: number): string[] {
  const days: string[] = [];
  for (let day = from; days.length < count; day = addDays(day, 1)) {
    const weekday = (dayNumber(day) + 3) % 7;
    if (weekday < 5) days.push(day);
  }
  return days;
}

/** Returns the price of a path at each day, with four decimals. */
export function pricesOfPath({ start, drift, swing }: DailyPath, days: number): string[] {
  return Array.from({ length: days }, (_, t) =>
    (start * (1 + drift * t) * (1 + swing * Math.sin(t * (1 + swing)))).toFixed(4),
  );
}

/** Returns lines of a file of daily prices with volumes. */
export function dailyLines(paths: readonly DailyPath[], days: readonly string[]): string[] {
  const rows = paths.flatMap((path) =>
    pricesOfPath(path, days.length).map((price, t) => `${path.symbol},${days[t]},${price},${price},10000`),
  );
  return ['symbol,date,close,adj_close,volume', ...rows];
}
