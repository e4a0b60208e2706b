import { utcDate } from '#lib/core/clock.ts';
import { invalid } from '#lib/core/problem.ts';

/** Throws a problem for an as-of date in the future, because its result could still change. */
export function requirePastDay(asOf: string, now: Date): void {
  const today = utcDate(now);
  if (asOf <= today) return;
  const message = `must not be after today, ${today}`;
  throw invalid([{ pointer: '/as_of', in: 'body', code: 'in_future', message }]);
}
