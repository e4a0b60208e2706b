import { addDays, addMonths, lastDayOfMonth, monthOf } from '#lib/core/date.ts';
import type { ResearchTarget } from './project-definition.ts';

/*
 * Data after the as-of date must not leak into the data known at that date. A **target date** is the day that a target
 * describes. The **span** of a target is the number of months, up to that day, that its value covers.
 */

/** A value that was read for a snapshot, with the time it describes and the time it became known. */
export type DatedValue = { feature: string; entity: string; eventTime: string; knownAt: string };

/** Data that would leak future information. `reason` is a code, and `detail` is a text for the caller. */
export type LeakageFinding = { feature: string; entity?: string; reason: LeakageReason; detail: string };

export const leakageReasons = [
  'target_within_features',
  'target_known_before',
  'event_after_as_of',
  'known_after_as_of',
] as const;
export type LeakageReason = (typeof leakageReasons)[number];

/**
 * Finds a target whose period begins before the as-of date. If the horizon is shorter than the span, the period begins
 * within the window of the features. With a horizon of 0, this is always the case.
 */
export function targetWindowLeak(target: ResearchTarget): LeakageFinding | undefined {
  const inside = target.horizons_months.find((horizon) => horizon < Math.max(1, target.span_months));
  if (inside === undefined) return undefined;
  const detail =
    `the target ${target.feature} looks back ${target.span_months} months from its date, so at a horizon ` +
    `of ${inside} months the period of the target overlaps the window of the features`;
  return { feature: target.feature, reason: 'target_within_features', detail };
}

/** Finds the first feature value that describes, or became known at, a time after the end (UTC) of the as-of day. */
export function futureValueLeak(values: Iterable<DatedValue>, asOf: string): LeakageFinding | undefined {
  for (const { feature, entity, eventTime, knownAt } of values) {
    const late = dayOf(eventTime) > asOf ? 'event_after_as_of' : undefined;
    const reason = late ?? (dayOf(knownAt) > asOf ? 'known_after_as_of' : undefined);
    if (!reason) continue;
    const what =
      reason === 'event_after_as_of' ? `has the event time ${eventTime}` : `became known at ${knownAt}`;
    return {
      feature,
      entity,
      reason,
      detail: `${feature} of ${entity} ${what}, which is after the as-of date ${asOf}`,
    };
  }
  return undefined;
}

/** Finds a target value that describes a day after the as-of date but was already known by that date. */
export function knownTargetLeak(values: Iterable<DatedValue>, asOf: string): LeakageFinding | undefined {
  for (const { feature, entity, eventTime, knownAt } of values) {
    if (dayOf(eventTime) <= asOf || dayOf(knownAt) > asOf) continue;
    const detail = `the target ${feature} of ${entity} has the event time ${eventTime} but was already known at ${knownAt}`;
    return { feature, entity, reason: 'target_known_before', detail };
  }
  return undefined;
}

/**
 * Returns the days on which a target at a horizon may be dated. The horizon date is the as-of date plus the horizon.
 * The days begin after the date one month before the horizon date, and end with the horizon date. If the horizon equals
 * the span, only the horizon date is allowed, because the span must not begin before the as-of date. The last day of a
 * month maps to the last day of other months. A day that a month lacks maps to its last day. The horizon must not be
 * shorter than the span.
 * Example: 2 months after 2020-01-31, with a span of 1, is `{ after: '2020-02-29', until: '2020-03-31' }`; 1 month
 * after is only 2020-02-29.
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

/** Returns the UTC day of an ISO instant. */
function dayOf(instant: string): string {
  return instant.slice(0, 10);
}
