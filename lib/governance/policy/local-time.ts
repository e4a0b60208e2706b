import type { PolicyInput } from './fields.ts';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the hour and the ISO weekday of an instant in a time zone, as fields of an input. */
export function localTime(now: Date, timeZone: string): PolicyInput {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hour: 'numeric',
      hourCycle: 'h23',
      weekday: 'short',
    });
    formats.set(timeZone, format);
  }
  const parts = format.formatToParts(now);
  const part = (type: string) => parts.find((each) => each.type === type)!.value;
  return {
    'local_time.hour': Number(part('hour')),
    'local_time.weekday': weekdays.indexOf(part('weekday')) + 1,
  };
}
