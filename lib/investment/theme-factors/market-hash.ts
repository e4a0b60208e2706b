import { sha256 } from '#lib/core/seal.ts';
import type { UniverseSymbol } from './theme-universe.ts';

const COMMA = 44;
const LINE_FEED = 10;
const MONTH_LENGTH = 7;
const DATE_LENGTH = 10;

/**
 * Returns the SHA-256 of the month-end prices of the universe, as lines `symbol,YYYY-MM,date,price`, each ended by a
 * line feed. Lines are in the order of the universe, then by month, base month first. The price is the text as
 * observed. Lines are written as bytes because the largest run has 1.2 million lines. Source: specification of
 * svc_theme_factor_ridge_v1, step 12.
 *
 * Example: `AAPL,2020-09,2020-09-30,115.81` is one such line.
 */
export function marketHash(universe: readonly UniverseSymbol[]): string {
  const encoder = new TextEncoder();
  const symbols = universe.map(({ symbol }) => encoder.encode(symbol));
  const bytes = new Uint8Array(byteCount(universe, symbols));
  let at = 0;
  universe.forEach(({ monthEnds: { observations, chosen } }, row) => {
    for (const place of chosen) {
      if (place < 0) continue;
      const { date, price } = observations[place]!;
      bytes.set(symbols[row]!, at);
      at += symbols[row]!.length;
      bytes[at] = COMMA;
      at = writeAscii(bytes, at + 1, date, MONTH_LENGTH);
      bytes[at] = COMMA;
      at = writeAscii(bytes, at + 1, date, DATE_LENGTH);
      bytes[at] = COMMA;
      at = writeAscii(bytes, at + 1, price, price.length);
      bytes[at] = LINE_FEED;
      at += 1;
    }
  });
  return sha256(bytes);
}

function byteCount(universe: readonly UniverseSymbol[], symbols: readonly Uint8Array[]): number {
  let count = 0;
  universe.forEach(({ monthEnds: { observations, chosen } }, row) => {
    const fixed = symbols[row]!.length + MONTH_LENGTH + DATE_LENGTH + 4;
    for (const place of chosen) if (place >= 0) count += fixed + observations[place]!.price.length;
  });
  return count;
}

/** Writes the first `length` characters of an ASCII text. Dates and prices were already checked to be ASCII. */
function writeAscii(bytes: Uint8Array, at: number, text: string, length: number): number {
  for (let i = 0; i < length; i += 1) bytes[at + i] = text.charCodeAt(i);
  return at + length;
}
