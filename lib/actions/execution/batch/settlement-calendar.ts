import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate } from '#lib/core/schema.ts';
import { defineKind } from '#lib/governance/governed/kind.ts';

/** The key of the calendar that dates and ages are counted by. */
export const DEFAULT_CALENDAR = 'default';

/** On which days a workspace settles. */
export const settlementCalendarKind = defineKind({
  kind: 'settlement_calendar',
  prefix: prefixes.settlementCalendar,
  about: 'on which days settlement takes place',
  schema: Closed({
    from: IsoDate,
    to: IsoDate,
    weekend: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      maxItems: 6,
      uniqueItems: true,
      description: 'Weekdays without settlement; Monday is 1.',
    }),
    holidays: Type.Array(IsoDate, {
      maxItems: 5_000,
      uniqueItems: true,
      description: 'Dates without settlement.',
    }),
  }),
  keyOf: () => DEFAULT_CALENDAR,
  check: async (_em, { from, to }) =>
    from <= to ? [] : [{ pointer: '/to', code: 'order', message: 'must not be before from' }],
});
