import { utcDate, type Clock } from '#lib/core/clock.ts';
import { invalid } from './derive/router.ts';

/** Refuses an as-of date in the future, because the answer for such a date could still change. */
export function checkedAsOf(asOf: string | undefined, clock: Clock): string | undefined {
  if (asOf !== undefined && asOf > utcDate(clock.now())) {
    throw invalid([
      { pointer: '/as_of', in: 'query', code: 'in_future', message: 'must not be after today' },
    ]);
  }
  return asOf;
}
