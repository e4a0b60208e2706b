import { withoutTrailing } from '#lib/core/without-trailing.ts';
import { sha256 } from '#lib/core/seal.ts';
import { meters, type Meter } from './meters.ts';
import type { UsageBucket, UsageRecord } from './usage-records.query.ts';

export type UsageDifference = {
  from: string;
  member: 'value' | 'records' | 'hash';
  stated: string;
  counted: string;
};

/**
 * Recounts buckets from individual records, in exact decimal arithmetic, and returns the differences. Buckets without a
 * measurement have nothing to recount.
 */
export function reconcile(
  meter: Meter,
  buckets: readonly Pick<UsageBucket, 'from' | 'to' | 'value' | 'source'>[],
  records: readonly UsageRecord[],
): UsageDifference[] {
  const isTotal = (meters[meter].aggregation as string) === 'last';
  return buckets.flatMap(({ from, to, value, source }) => {
    if (source === null || value === null) return [];
    const own = records.filter(({ at }) => at < micros(to) && (isTotal || at >= micros(from)));
    const counted = {
      value: sumOf(own.map((record) => record.value)),
      records: String(own.reduce((sum, record) => sum + record.records, 0)),
      hash: hashOf(own),
    };
    const stated = { value, records: String(source.records), hash: source.hash };
    return (['value', 'records', 'hash'] as const)
      .filter((member) => counted[member] !== stated[member])
      .map((member) => ({
        from: from.toISOString(),
        member,
        stated: stated[member],
        counted: counted[member],
      }));
  });
}

/** Returns the hash of the list of records. A folded record that is alone has kept the hash of the list it replaces. */
function hashOf(own: readonly UsageRecord[]): string {
  const [first] = own;
  if (own.length === 1 && first?.hash != null) return first.hash;
  return sha256(own.map((record) => `${record.uid}:${record.value}`).join(','));
}

/** Returns an instant with six decimals of the second, as in the records, so that instants can be compared as texts. */
function micros(instant: Date): string {
  return instant.toISOString().replace('Z', '000Z');
}

const DIGITS = 12;

/** Returns the exact sum of decimal numbers with at most 12 digits after the point. */
export function sumOf(values: readonly string[]): string {
  let sum = 0n;
  for (const value of values) {
    const [whole, fraction = ''] = value.replace('-', '').split('.');
    const scaled = BigInt(`${whole}${fraction.padEnd(DIGITS, '0').slice(0, DIGITS)}`);
    sum += value.startsWith('-') ? -scaled : scaled;
  }
  const digits = (sum < 0n ? -sum : sum).toString().padStart(DIGITS + 1, '0');
  const fraction = withoutTrailing(digits.slice(-DIGITS), '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -DIGITS)}${fraction === '' ? '' : `.${fraction}`}`;
}
