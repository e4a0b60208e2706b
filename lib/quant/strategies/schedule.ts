import { addDays, dayNumber } from '#lib/core/date.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';

type Schedule = ResolvedStrategy['schedule'];

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

/**
 * Returns one element for each session: 1 if the strategy makes a decision in the session. Sessions before `first` have
 * 0. The session `first` always has a decision, so that the start date does not leave the strategy in cash.
 *
 * The last session of a period is known at its close: the next session belongs to a later period. The newest session
 * of the data has no next session. It counts as the last of its period only if no weekday of the period follows it.
 */
export function decisionSessions(
  sessions: readonly string[],
  first: number,
  { every, n, on }: Pick<Schedule, 'every' | 'n' | 'on'>,
): Uint8Array {
  const decides = new Uint8Array(sessions.length);
  if (first < sessions.length) decides[first] = 1;
  if (every === 'once') return decides;
  for (let t = first; t < sessions.length; t += 1) {
    if (every === 'session') decides[t] = 1;
    else if (every === 'n_sessions') decides[t] = (t - first) % n === 0 ? 1 : 0;
    else if (isDue(sessions, t, every, on)) decides[t] = 1;
  }
  return decides;
}

type Calendar = 'week' | 'month' | 'quarter' | 'year';

function isDue(sessions: readonly string[], t: number, every: Calendar, on: Schedule['on']): boolean {
  const period = periodOf[every];
  const isFirst = t === 0 || period(sessions[t - 1]!) !== period(sessions[t]!);
  if (on === 'first') return isFirst;
  const isLast = isLastOf(sessions, t, period);
  if (on === 'last') return isLast;
  const wanted = WEEKDAYS.indexOf(on);
  const isReached = weekdayOf(sessions[t]!) >= wanted;
  const wasReached = !isFirst && weekdayOf(sessions[t - 1]!) >= wanted;
  return isReached ? !wasReached : isLast;
}

function isLastOf(sessions: readonly string[], t: number, period: (day: string) => number | string): boolean {
  const next = sessions[t + 1] ?? nextWeekday(sessions[t]!);
  return period(sessions[t]!) !== period(next);
}

function nextWeekday(day: string): string {
  const next = addDays(day, 1);
  return weekdayOf(next) < WEEKDAYS.length ? next : nextWeekday(next);
}

/** Monday is 0. The first of 1970, day 0, was a Thursday. */
function weekdayOf(day: string): number {
  return (dayNumber(day) + 3) % 7;
}

const periodOf: Readonly<Record<Calendar, (day: string) => number | string>> = {
  week: (day) => Math.floor((dayNumber(day) + 3) / 7),
  month: (day) => day.slice(0, 7),
  quarter: (day) => `${day.slice(0, 4)} ${Math.floor((Number(day.slice(5, 7)) - 1) / 3)}`,
  year: (day) => day.slice(0, 4),
};
