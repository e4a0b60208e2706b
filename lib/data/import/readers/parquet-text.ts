import type { SchemaElement } from 'hyparquet';
import { withoutTrailing } from '#lib/core/without-trailing.ts';

/** Converts a raw value of a column to its CSV text. */
export type ToText = (value: unknown) => string;

/**
 * Returns the converter for the values of a column, without loss. Returns a reason as text if the type is not
 * supported.
 * - Integers and decimals are converted digit by digit.
 * - Floating-point numbers become the shortest decimal that reads back to the same number.
 * - Days become YYYY-MM-DD.
 * - Moments become ISO 8601 with all their digits, and with Z only if the file states UTC.
 * - A missing value and NaN become an empty text.
 *
 * The values are raw: the column is read without its annotations, because the conversions of the library use floats.
 */
export function textWriter(element: SchemaElement): ToText | string {
  const write = writerOf(element);
  if (write === undefined) return `has the unsupported type ${typeOf(element)}`;
  return (value) => (value === undefined || value === null ? '' : write(value));
}

function writerOf(element: SchemaElement): ToText | undefined {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') return decimalWriter(element);
  if (converted === 'DATE' || logical?.type === 'DATE') return remembering((value) => dayText(Number(value)));
  if (logical?.type === 'TIMESTAMP')
    return remembering(momentWriter(logical.unit, logical.isAdjustedToUTC ? 'Z' : ''));
  if (converted === 'TIMESTAMP_MILLIS') return remembering(momentWriter('MILLIS', 'Z'));
  if (converted === 'TIMESTAMP_MICROS') return remembering(momentWriter('MICROS', 'Z'));
  if (type === 'INT96') return remembering(momentWriter('NANOS', 'Z'));
  if (converted === 'UINT_32') return (value) => String(Number(value) >>> 0);
  if (converted === 'UINT_64') return (value) => String(BigInt.asUintN(64, value as bigint));
  if (type === 'BYTE_ARRAY' && isText(element)) return textDecoder();
  if (logical && logical.type !== 'INTEGER') return undefined;
  if (type === 'INT32' || type === 'INT64' || type === 'BOOLEAN') return String;
  if (type === 'DOUBLE') return (value) => plainNumber(String(value));
  if (type === 'FLOAT') return (value) => plainNumber(shortestFloat(value as number));
  return undefined;
}

/**
 * Creates a decoder that throws on invalid UTF-8. The decoder caches the last value, because adjacent values are often
 * equal.
 */
function textDecoder(): ToText {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let last: unknown;
  let text = '';
  return (value) => {
    if (value !== last) [text, last] = [utf8.decode(value as Uint8Array), value];
    return text;
  };
}

function isText({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return (
    (converted === undefined && logical === undefined) ||
    converted === 'UTF8' ||
    converted === 'ENUM' ||
    logical?.type === 'STRING' ||
    logical?.type === 'ENUM'
  );
}

/** Creates a converter for decimals. The unscaled integer is a number, or big-endian bytes in two's complement. */
function decimalWriter({ scale = 0, logical_type: logical }: SchemaElement): ToText {
  const digits = logical?.type === 'DECIMAL' ? logical.scale : scale;
  return (value) =>
    scaled(value instanceof Uint8Array ? signedOf(value) : BigInt(value as number | bigint), digits);
}

function signedOf(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toString('hex');
  return hex === '' ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`));
}

/** Formats a scaled decimal. Example: `scaled(-12345n, 2)` is `-123.45`. */
function scaled(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-scale)}`;
}

/** Returns the shortest text of a 32-bit float. Nine digits are always enough. */
function shortestFloat(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}

/**
 * Formats a number without an exponent. Example: `plainNumber('1.5e-7')` is `0.00000015`. NaN becomes an
 * empty text.
 */
function plainNumber(text: string): string {
  if (text === 'NaN') return '';
  if (!text.includes('e')) return text;
  const [, sign, whole, rest = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = `${whole}${rest}`;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return point >= digits.length
    ? `${sign}${digits}${'0'.repeat(point - digits.length)}`
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

const REMEMBERED_MAX = 20_000;

/** Returns a converter that caches the texts of days and moments, which repeat for each symbol. */
function remembering(write: ToText): ToText {
  const texts = new Map<unknown, string>();
  return (value) => {
    let text = texts.get(value);
    if (text === undefined) {
      if (texts.size === REMEMBERED_MAX) texts.clear();
      text = write(value);
      texts.set(value, text);
    }
    return text;
  };
}

const DAY_MS = 86_400_000;

/** Formats a day. A year outside 0000 to 9999 is written with a sign, so the text is later rejected as a date. */
function dayText(days: number): string {
  const day = new Date(days * DAY_MS);
  return Number.isNaN(day.getTime()) ? String(days) : day.toISOString().split('T')[0]!;
}

const digitsOf = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

function momentWriter(unit: keyof typeof digitsOf, zone: string): ToText {
  const digits = digitsOf[unit];
  const second = 10n ** BigInt(digits);
  return (value) => {
    const units = BigInt(value as number | bigint);
    const part = ((units % second) + second) % second;
    const moment = new Date(Number((units - part) / second) * 1_000);
    if (Number.isNaN(moment.getTime())) return String(units);
    const fraction = withoutTrailing(String(part).padStart(digits, '0'), '0');
    return `${moment.toISOString().slice(0, -5)}${fraction === '' ? '' : `.${fraction}`}${zone}`;
  };
}

function typeOf({ type, converted_type: converted, logical_type: logical }: SchemaElement): string {
  return [type, logical?.type ?? converted].filter((each) => each !== undefined).join(' ');
}
