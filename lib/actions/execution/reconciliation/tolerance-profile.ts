import Type from 'typebox';
import { minorDigits } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { defineKind, type BodyFault } from '#lib/governance/governed/kind.ts';
import { toleranceRules, toleratedFields, type ToleranceEntry } from './tolerance.ts';

/** The key of the profile for reconciliation. Without an active profile, all values must be exact. */
export const DEFAULT_PROFILE = 'default';

const Entry = Closed({
  field: Type.Enum([...toleratedFields], { description: 'The field that may differ.' }),
  currency: Type.Union([Type.String({ pattern: '^[A-Z]{3}$' }), Type.Null()], {
    description: 'The currency of the entry, ISO 4217; null for every currency without its own entry.',
  }),
  rule: Type.Enum([...toleranceRules], {
    description:
      'The rule of comparison: `EXACT`, `PCT` up to a percentage, `RANGE` up to a fixed bound, `PCT_MAX` up to both, `IGNORE` without a bound.',
  }),
  bps: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000 }), Type.Null()], {
    description:
      'The bound relative to the expected amount, in basis points. Required for `PCT` and `PCT_MAX`, null for other rules.',
  }),
  most: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()], {
    description:
      'The fixed bound, in minor units or in days. Required for `RANGE` and `PCT_MAX`, null for other rules.',
  }),
});

/**
 * The tolerances for differences between custody evidence and the orders and confirmations. Two persons must approve a
 * change.
 */
export const toleranceProfileKind = defineKind({
  kind: 'tolerance_profile',
  prefix: prefixes.toleranceProfile,
  schema: Closed({ entries: Type.Array(Entry, { maxItems: 200 }) }),
  keyOf: () => DEFAULT_PROFILE,
  check: async (_em, { entries }) => toleranceFaults(entries),
});

/**
 * Returns the faults of a profile. Each rule must have exactly the bounds that it uses, and each pair of field and
 * currency must be unique.
 */
export function toleranceFaults(entries: readonly ToleranceEntry[]): BodyFault[] {
  return entries.flatMap(({ field, currency, rule, bps, most }, at) => {
    const faults: BodyFault[] = [];
    const add = (name: string, code: string, message: string) =>
      faults.push({ pointer: `/entries/${at}/${name}`, code, message });
    if (currency !== null && minorDigits(currency) === undefined) {
      add('currency', 'invalid_currency', 'must be an active ISO 4217 currency');
    }
    if ((rule === 'PCT' || rule === 'PCT_MAX') !== (bps !== null))
      add('bps', 'bound', `must be set for PCT and PCT_MAX, and null for other rules`);
    if ((rule === 'RANGE' || rule === 'PCT_MAX') !== (most !== null))
      add('most', 'bound', `must be set for RANGE and PCT_MAX, and null for other rules`);
    if (field === 'settlement_date' && bps !== null)
      add('bps', 'bound', 'must be null, because a date has no percentage');
    if (field === 'settlement_amount' && rule === 'IGNORE')
      add('rule', 'bound', 'must not be IGNORE for an amount');
    if (entries.findIndex((each) => each.field === field && each.currency === currency) !== at) {
      faults.push({
        pointer: `/entries/${at}`,
        code: 'repeated',
        message: 'must be the only entry for its field and currency',
      });
    }
    return faults;
  });
}
