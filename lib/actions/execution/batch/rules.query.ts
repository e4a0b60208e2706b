import type { Em, Tenant } from '#lib/database/base.ts';
import { inForce, type Governed } from '#lib/governance/governed/governed-record.write.ts';
import { weekendsOnly, type SettlementCalendar } from './calendar.ts';
import { NO_RULES, type ControlRules } from './controls.ts';
import { DEFAULT_RULES, preTradeRulesKind } from './pre-trade-rules.ts';
import { DEFAULT_CALENDAR, settlementCalendarKind } from './settlement-calendar.ts';
import { EXACT_PROFILE, type KeptTolerance } from '../reconciliation/tolerance.ts';
import { DEFAULT_PROFILE, toleranceProfileKind } from '../reconciliation/tolerance-profile.ts';

/**
 * Returns the active rules, their version and the version of the calendar, and the minutes for which an
 * evaluation is valid. If no rules are active, the rules are `NO_RULES` with the active calendar.
 */
export async function controlRulesOf(
  em: Em,
  tenant: Tenant,
): Promise<{ rules: ControlRules; versions: string; validMinutes: number }> {
  const [found] = await inForce(em, preTradeRulesKind, tenant, DEFAULT_RULES);
  const days = await calendarInForce(em, tenant);
  const calendar = calendarFrom(days);
  const versions = `rules ${versionOf(found)}, calendar ${versionOf(days)}`;
  if (!found) return { rules: { ...NO_RULES, calendar }, versions, validMinutes: 1 };
  const { body } = found;
  return {
    versions,
    validMinutes: body.valid_minutes,
    rules: {
      version: versionOf(found),
      maxOrders: body.max_orders,
      gross: body.gross,
      perOrder: body.per_order,
      known: body.known_instruments,
      restricted: body.restricted_instruments,
      calendar,
    },
  };
}

/**
 * Returns the active calendar of the workspace, or `weekendsOnly` if there is no active calendar. The
 * calendar determines the ages of exceptions and the dates on which observations are due.
 */
export async function calendarOf(em: Em, tenant: Tenant): Promise<SettlementCalendar> {
  return calendarFrom(await calendarInForce(em, tenant)) ?? weekendsOnly;
}

type CalendarRecord = Governed<typeof settlementCalendarKind.schema>;

async function calendarInForce(em: Em, tenant: Tenant): Promise<CalendarRecord | undefined> {
  const [found] = await inForce(em, settlementCalendarKind, tenant, DEFAULT_CALENDAR);
  return found;
}

function calendarFrom(found: CalendarRecord | undefined): SettlementCalendar | null {
  return found ? { key: found.key, ...found.body } : null;
}

function versionOf(found: { key: string; version: number } | undefined): string {
  return found ? `${found.key}@${found.version}` : 'none';
}

/** Returns the active tolerance profile. Without an active profile, all values must be exact. */
export async function toleranceInForce(em: Em, tenant: Tenant): Promise<KeptTolerance> {
  const [found] = await inForce(em, toleranceProfileKind, tenant, DEFAULT_PROFILE);
  if (!found) return EXACT_PROFILE;
  return { uid: found.uid, version: found.version, hash: found.bodyHash, entries: found.body.entries };
}
