import Type from 'typebox';
import { utcDate, type Clock } from '#lib/core/clock.ts';
import { Day } from '#lib/core/schema.ts';
import { invalid } from './derive/router.ts';

/** The query parameter of reads that return the data as known on an earlier day. */
export const asOfQuery = {
  as_of: Type.Optional(
    Day('Returns only data known by the end of this day (UTC). Default: everything known now.'),
  ),
};

/** Refuses an as-of date in the future, because the answer for that date would still change. */
export function checkedAsOf(asOf: string | undefined, clock: Clock): string | undefined {
  if (asOf !== undefined && asOf > utcDate(clock.now())) {
    throw invalid([
      { pointer: '/as_of', in: 'query', code: 'in_future', message: 'must not be after today' },
    ]);
  }
  return asOf;
}
