import Type from 'typebox';
import { minorDigits } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { defineKind, type BodyFault } from '#lib/governance/governed/kind.ts';
import { toleranceRules, toleratedFields, type ToleranceEntry } from './tolerance.ts';

/** The key of the profile that reconciliation uses; without one in force everything is exact. */
export const DEFAULT_PROFILE = 'default';

const Entry = Closed({
  field: Type.Enum([...toleratedFields], { description: 'What may differ.' }),
  currency: Type.Union([Type.String({ pattern: '^[A-Z]{3}$' }), Type.Null()], {
    description: 'The currency that it holds for; null for those without an entry.',
  }),
  rule: Type.Enum([...toleranceRules], { description: 'How it is measured.' }),
  bps: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000 }), Type.Null()], {
    description: 'Of the expected amount, in hundredths of a percent; for PCT and PCT_MAX.',
  }),
  most: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()], {
    description: 'In minor units, or in days; for RANGE and PCT_MAX.',
  }),
});

/** How far custody may be from what was ordered and confirmed. It takes two persons to widen it. */
export const toleranceProfileKind = defineKind({
  kind: 'tolerance_profile',
  prefix: prefixes.toleranceProfile,
  about: 'how far custody observations may differ',
  schema: Closed({ entries: Type.Array(Entry, { maxItems: 200 }) }),
  keyOf: () => DEFAULT_PROFILE,
  check: async (_em, { entries }) => toleranceFaults(entries),
});

/** Faults of a profile: each rule has exactly its own bounds, and stands once for a field and currency. */
export function toleranceFaults(entries: readonly ToleranceEntry[]): BodyFault[] {
  return entries.flatMap(({ field, currency, rule, bps, most }, at) => {
    const faults: BodyFault[] = [];
    const add = (name: string, code: string, message: string) =>
      faults.push({ pointer: `/entries/${at}/${name}`, code, message });
    if (currency !== null && minorDigits(currency) === undefined) {
      add('currency', 'invalid_currency', 'must be a currency of ISO 4217 in force');
    }
    if ((rule === 'PCT' || rule === 'PCT_MAX') !== (bps !== null))
      add('bps', 'bound', `does not go with ${rule}`);
    if ((rule === 'RANGE' || rule === 'PCT_MAX') !== (most !== null))
      add('most', 'bound', `does not go with ${rule}`);
    if (field === 'settlement_date' && bps !== null) add('bps', 'bound', 'a day has no percentage');
    if (field === 'settlement_amount' && rule === 'IGNORE')
      add('rule', 'bound', 'an amount is never ignored');
    if (entries.findIndex((each) => each.field === field && each.currency === currency) !== at) {
      faults.push({ pointer: `/entries/${at}`, code: 'repeated', message: 'must be there once' });
    }
    return faults;
  });
}
