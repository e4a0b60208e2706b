/** Powers of ten that a double holds exactly. */
const POWERS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15] as const;
const DIGITS_EXACT = 15;
const GRAMMAR = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Parses a decimal text to the nearest double, with the same bits as `Number(text)`. Refuses texts that `Number`
 * accepts although they are not decimal: an empty text, spaces, plus signs, hexadecimal, `Infinity`, a bare point.
 *
 * Up to 15 digits are read as one integer and divided by a power of ten. Both are exact, so the single division rounds
 * correctly. Longer texts and exponents take a slower path. Source: W. D. Clinger, "How to Read Floating Point Numbers
 * Accurately" (PLDI 1990), the case in which both operands are exact.
 *
 * Throws a `RangeError` on a text that is not a decimal number, and on a number too large for a double.
 *
 * Example: `parseDecimal('28.7817')` is 28.7817.
 */
export function parseDecimal(text: string): number {
  const length = text.length;
  let integer = 0;
  let point = -1;
  for (let position = 0; position < length; position += 1) {
    const code = text.charCodeAt(position);
    if (code >= 48 && code <= 57) integer = integer * 10 + (code - 48);
    else if (code === 46 && point < 0) point = position;
    else return parseSlowly(text);
  }
  if (point < 0) return length >= 1 && length <= DIGITS_EXACT ? integer : parseSlowly(text);
  const decimals = length - 1 - point;
  if (point === 0 || decimals === 0 || length - 1 > DIGITS_EXACT) return parseSlowly(text);
  return integer / POWERS[decimals]!;
}

function parseSlowly(text: string): number {
  const value = GRAMMAR.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw new RangeError(`not a decimal number: ${JSON.stringify(text)}`);
  return value;
}
