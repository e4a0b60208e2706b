import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate } from '#lib/core/schema.ts';
import { defineKind } from '#lib/governance/governed/kind.ts';

/** The key of the calendar that determines settlement days and the ages of exceptions. */
export const DEFAULT_CALENDAR = 'default';

/** The days on which a workspace settles trades. */
export const settlementCalendarKind = defineKind({
  kind: 'settlement_calendar',
  prefix: prefixes.settlementCalendar,
  schema: Closed({
    from: IsoDate,
    to: IsoDate,
    weekend: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      maxItems: 6,
      uniqueItems: true,
      description: 'Weekdays without settlement, ISO 8601: 1 is Monday.',
    }),
    holidays: Type.Array(IsoDate, {
      maxItems: 5_000,
      uniqueItems: true,
      description: 'Dates without settlement.',
    }),
  }),
  keyOf: () => DEFAULT_CALENDAR,
  check: async (_em, { from, to }) =>
    from <= to ? [] : [{ pointer: '/to', code: 'order', message: 'must be on or after the date in /from' }],
});
