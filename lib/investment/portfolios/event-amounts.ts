import { withoutTrailing } from '#lib/core/without-trailing.ts';
import { parseMajor } from '#lib/core/money.ts';
import { decimalFault } from '#lib/data/import/readers/fields.ts';
import { plainNumber } from './broker-number.ts';
import type { EventType } from './portfolio-event.ts';

/** A value of a field, `null` if the field is empty, or the reason why it is not valid. */
export type ReadField<Value> = { value: Value | null } | { reason: string };

const DECIMALS_MAX = 8;
const INTEGER_DIGITS_MAX = 15;

/**
 * Reads a quantity or price above 0, and returns it without trailing zeros. With `mayBeNegative`, a minus
 * sign is ignored, because some brokers state the quantity of a sale below 0.
 */
export function readDecimal(text: string, mayBeNegative: boolean): ReadField<string> {
  if (text === '') return { value: null };
  const plain = plainNumber(text);
  const size = mayBeNegative ? plain.replace(/^-/, '') : plain;
  if (/^-\d/.test(size))
    return { reason: 'quantity_sign: must be above 0; the type of the event states the direction' };
  const fault = decimalFault(size, 'zero');
  if (fault !== undefined) return { reason: fault };
  const [whole = '', decimals = ''] = size.split('.');
  if (whole.length > INTEGER_DIGITS_MAX)
    return { reason: `has more than ${INTEGER_DIGITS_MAX} digits before the point` };
  const significant = withoutTrailing(decimals, '0');
  if (significant.length > DECIMALS_MAX) return { reason: `has more than ${DECIMALS_MAX} decimals` };
  if (whole === '0' && significant === '') return { reason: 'quantity_sign: must be above 0' };
  return { value: significant === '' ? whole : `${whole}.${significant}` };
}

/** Reads a reported number of shares, which may be 0. */
export function readShares(text: string): ReadField<string> {
  return /^0*(?:\.0*)?$/.test(plainNumber(text)) && text !== '' ? { value: '0' } : readDecimal(text, false);
}

/** Reads an amount in major units, such as `$1,234.50`, into minor units of a currency with `scale` decimals. */
export function readMinor(text: string, scale: number): ReadField<bigint> {
  if (text === '') return { value: null };
  const read = parseMajor(plainNumber(text), scale);
  if (read.ok) return { value: read.minor };
  const reasons = {
    amount_precision: `has more decimals than its currency, which allows ${scale}`,
    amount_range: 'is out of range',
    invalid_amount: 'is not an amount such as 1234.50',
  };
  return { reason: reasons[read.code] };
}

/**
 * The event types that reduce the cash of the portfolio. Brokers state the amounts of these types below 0.
 */
const outgoing: ReadonlySet<EventType> = new Set(['buy', 'fee', 'withdraw', 'reinvest']);

/**
 * Returns the gross amount of an event from its stated gross amount. If no gross amount is stated, computes it from the
 * net amount; null without both. The net amount of an outgoing event, such as a purchase, includes the fees; from other
 * net amounts the fees are already deducted.
 */
export function grossAmount(
  type: EventType,
  { gross, net, fees }: { gross: bigint | null; net: bigint | null; fees: bigint },
): bigint | null {
  const isOutgoing = outgoing.has(type);
  if (gross !== null) return isOutgoing && gross < 0n ? -gross : gross;
  if (net === null) return null;
  return isOutgoing ? (net < 0n ? -net : net) - fees : net + fees;
}
