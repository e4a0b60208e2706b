import { addDays, addMonths, lastDayOfMonth, monthOf } from '#lib/core/date.ts';
import type { ResearchTarget } from './project-definition.ts';

/*
 * What lies behind the as-of date must not be among what was known then. A **target date** is the day that a target is
 * about; its **span** are the months before it that its value speaks of.
 */

/** A value that was read for a snapshot, and when it was about and known. */
export type DatedValue = { feature: string; entity: string; eventTime: string; knownAt: string };

/** Why there is leakage, in words for the caller; undefined where there is none. */
export type LeakageFinding = { feature: string; entity?: string; reason: LeakageReason; detail: string };

export const leakageReasons = [
  'target_within_features',
  'target_known_before',
  'event_after_as_of',
  'known_after_as_of',
] as const;
export type LeakageReason = (typeof leakageReasons)[number];

/**
 * Whether every target of a definition begins at the as-of date or later: a horizon shorter than the span reaches back
 * into the months that the features speak of. A horizon of 0 is always inside.
 */
export function targetWindowLeak(target: ResearchTarget): LeakageFinding | undefined {
  const inside = target.horizons_months.find((horizon) => horizon < Math.max(1, target.span_months));
  if (inside === undefined) return undefined;
  const detail =
    `the target ${target.feature} looks back ${target.span_months} months from its date, and at a horizon of ` +
    `${inside} months that reaches into the window of the features`;
  return { feature: target.feature, reason: 'target_within_features', detail };
}

/** The first value of the features that is about, or was known, after the end (UTC) of the as-of day. */
export function futureValueLeak(values: Iterable<DatedValue>, asOf: string): LeakageFinding | undefined {
  for (const { feature, entity, eventTime, knownAt } of values) {
    const late = dayOf(eventTime) > asOf ? 'event_after_as_of' : undefined;
    const reason = late ?? (dayOf(knownAt) > asOf ? 'known_after_as_of' : undefined);
    if (!reason) continue;
    const what = reason === 'event_after_as_of' ? `is about ${eventTime}` : `was known at ${knownAt}`;
    return { feature, entity, reason, detail: `${feature} of ${entity} ${what}, after ${asOf}` };
  }
  return undefined;
}

/** A value of the target that is about a day after the as-of date and was known by that date all the same. */
export function knownTargetLeak(values: Iterable<DatedValue>, asOf: string): LeakageFinding | undefined {
  for (const { feature, entity, eventTime, knownAt } of values) {
    if (dayOf(eventTime) <= asOf || dayOf(knownAt) > asOf) continue;
    const detail = `the target ${feature} of ${entity} is about ${eventTime} and was known at ${knownAt} already`;
    return { feature, entity, reason: 'target_known_before', detail };
  }
  return undefined;
}

/**
 * The days that a target at a horizon may be dated: after the same day one month before its own, up to its own, and so
 * late that its span begins at the as-of date or later. A last day of a month leads to last days of months; another day
 * that a month lacks, to the last that it has. Needs a horizon of at least the span.
 * Example: 2 months after 2020-01-31, of values that look back 1, is `{ after: '2020-02-29', until: '2020-03-31' }`;
 * 1 month after, 2020-02-29 alone.
 */
export function targetDays(
  asOf: string,
  { horizonMonths, spanMonths }: { horizonMonths: number; spanMonths: number },
): { after: string; until: string } {
  const until = monthsAfter(asOf, horizonMonths);
  const isWhole = spanMonths > 0 && horizonMonths === spanMonths;
  return { after: isWhole ? addDays(until, -1) : monthsAfter(asOf, horizonMonths - 1), until };
}

function monthsAfter(day: string, count: number): string {
  const month = addMonths(monthOf(day), count);
  const last = lastDayOfMonth(month);
  const isLast = lastDayOfMonth(monthOf(day)) === day;
  const same = `${month}-${day.slice(8)}`;
  return isLast || same > last ? last : same;
}

/** The UTC day of an ISO instant. */
function dayOf(instant: string): string {
  return instant.slice(0, 10);
}
