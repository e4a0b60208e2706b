import { compareText } from '#lib/core/compare-text.ts';
/** Number of observed days without a price after which a symbol no longer counts towards the calendar. */
const PATIENCE = 5;

export type SessionCalendar = {
  /** The sessions, ascending. */
  sessions: string[];
  /** Observed days that are not sessions, because fewer than half of the symbols have a price. */
  skipped: string[];
};

/**
 * Returns the sessions of symbols: the days on which at least half of the active symbols have a price. A symbol is
 * active on a day if it has a price on this day or on one of the five observed days before. Later days are not used, so
 * no later price changes a session.
 *
 * Example: with the days a-b-c of one symbol and a-c of another, b is a session, because half of them have a price.
 */
export function sessionCalendar(observed: readonly (readonly string[])[]): SessionCalendar {
  const byDay = new Map<string, number[]>();
  observed.forEach((days, symbol) => {
    for (const day of days) {
      const there = byDay.get(day);
      if (there) there.push(symbol);
      else byDay.set(day, [symbol]);
    }
  });
  const last = new Int32Array(observed.length).fill(-1 - PATIENCE);
  const leaving: number[] = [];
  const sessions: string[] = [];
  const skipped: string[] = [];
  let alive = 0;
  for (const [at, day] of [...byDay.keys()].sort(compareText).entries()) {
    const there = byDay.get(day)!;
    for (const symbol of there) {
      if (last[symbol]! < at - PATIENCE) alive += 1;
      else leaving[last[symbol]! + PATIENCE + 1]! -= 1;
      last[symbol] = at;
    }
    leaving[at + PATIENCE + 1] = there.length;
    alive -= leaving[at] ?? 0;
    (there.length * 2 >= alive ? sessions : skipped).push(day);
  }
  return { sessions, skipped };
}
