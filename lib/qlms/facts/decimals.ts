/** A decimal of any size: `units` times 10^-`scale`. */
type Decimal = { units: bigint; scale: number };

function parse(text: string): Decimal {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') throw new RangeError(`not a decimal: ${JSON.stringify(text)}`);
  const units = BigInt(whole + decimals);
  return { units: sign === '-' ? -units : units, scale: decimals.length };
}

function format({ units, scale }: Decimal): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const at = digits.length - scale;
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, at)}.${digits.slice(at)}`;
}

function aligned(one: string, other: string): [Decimal, Decimal] {
  const [a, b] = [parse(one), parse(other)];
  const scale = Math.max(a.scale, b.scale);
  const grown = ({ units, scale: own }: Decimal): Decimal => ({
    units: units * 10n ** BigInt(scale - own),
    scale,
  });
  return [grown(a), grown(b)];
}

/** Adds decimal texts. Example: `'1.50'` and `'2'` are `'3.50'`. Throws a `RangeError` for other texts. */
export function add(one: string, other: string): string {
  const [a, b] = aligned(one, other);
  return format({ units: a.units + b.units, scale: a.scale });
}

/** Subtracts decimal texts. */
export function subtract(one: string, other: string): string {
  const [a, b] = aligned(one, other);
  return format({ units: a.units - b.units, scale: a.scale });
}

/** Compares decimal texts: below 0, 0 or above 0. */
export function compare(one: string, other: string): number {
  const [a, b] = aligned(one, other);
  return a.units < b.units ? -1 : a.units > b.units ? 1 : 0;
}

/** Multiplies a decimal text by 100. */
export function hundredfold(text: string): string {
  const { units, scale } = parse(text);
  return format(
    scale >= 2 ? { units, scale: scale - 2 } : { units: units * 10n ** BigInt(2 - scale), scale: 0 },
  );
}

/** Returns the shortest decimal text of a finite double, without an exponent. */
export function decimalOf(number: number): string {
  const text = String(number);
  const [, sign = '', whole = '', decimals = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const shift = Number(exponent);
  const digits = whole + decimals;
  if (shift >= decimals.length) return `${sign}${digits}${'0'.repeat(shift - decimals.length)}`;
  return shift < 0
    ? `${sign}0.${'0'.repeat(-shift - whole.length)}${digits}`
    : `${sign}${digits.slice(0, shift + 1)}.${digits.slice(shift + 1)}`;
}
