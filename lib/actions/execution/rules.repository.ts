import type { Em, Tenant } from '#lib/database/orm.ts';
import { inForce } from '#lib/governance/governed/governed-record.repository.ts';
import { weekendsOnly, type SettlementCalendar } from './calendar.ts';
import { NO_RULES, type ControlRules } from './controls.ts';
import { DEFAULT_RULES, preTradeRulesKind } from './pre-trade-rules.ts';
import { DEFAULT_CALENDAR, settlementCalendarKind } from './settlement-calendar.ts';
import { EXACT_PROFILE, type KeptTolerance } from './tolerance.ts';
import { DEFAULT_PROFILE, toleranceProfileKind } from './tolerance-profile.ts';

/** The rules in force, and how long a result by them counts; none where two persons have not brought any into force. */
export async function controlRulesOf(
  em: Em,
  tenant: Tenant,
): Promise<{ rules: ControlRules; validMinutes: number }> {
  const [found] = await inForce(em, preTradeRulesKind, tenant, DEFAULT_RULES);
  const calendar = await calendarInForce(em, tenant);
  if (!found) return { rules: { ...NO_RULES, calendar }, validMinutes: 1 };
  const { key, version, body } = found;
  return {
    validMinutes: body.valid_minutes,
    rules: {
      version: `${key}@${version}`,
      maxOrders: body.max_orders,
      gross: body.gross,
      perOrder: body.per_order,
      known: body.known_instruments,
      restricted: body.restricted_instruments,
      calendar,
    },
  };
}

/** The calendar that ages and due days are counted by. */
export async function calendarOf(em: Em, tenant: Tenant): Promise<SettlementCalendar> {
  return (await calendarInForce(em, tenant)) ?? weekendsOnly;
}

async function calendarInForce(em: Em, tenant: Tenant): Promise<SettlementCalendar | null> {
  const [found] = await inForce(em, settlementCalendarKind, tenant, DEFAULT_CALENDAR);
  return found ? { key: found.key, ...found.body } : null;
}

/** The tolerance profile in force; everything is exact where there is none. */
export async function toleranceInForce(em: Em, tenant: Tenant): Promise<KeptTolerance> {
  const [found] = await inForce(em, toleranceProfileKind, tenant, DEFAULT_PROFILE);
  if (!found) return EXACT_PROFILE;
  return { uid: found.uid, version: found.version, hash: found.bodyHash, entries: found.body.entries };
}
