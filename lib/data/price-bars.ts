import type { PriceBasis } from './dataset.entity.ts';

/**
 * The prices of a symbol as one text, oldest first: `date open high low close adj_close volume,...`. A dash is a value
 * that was not observed. A text is passed to a thread faster than thousands of objects. `textOfBars` returns the text.
 */
export type PriceBarsText = {
  symbol: string;
  basis: PriceBasis;
  /** The text, or its characters in memory that threads share. */
  bars: string | Uint8Array;
  /** The number of bars whose moment of knowledge was assumed by the import. */
  assumed: number;
};

/** Returns the text of the prices of a symbol. */
export function textOfBars({ bars }: Pick<PriceBarsText, 'bars'>): string {
  if (typeof bars === 'string') return bars;
  return Buffer.from(bars.buffer, bars.byteOffset, bars.byteLength).toString('latin1');
}

/** Returns the characters of a text, all of which are ASCII, in memory that threads share. */
export function sharedBytes(text: string): Uint8Array {
  const shared = new SharedArrayBuffer(text.length);
  Buffer.from(shared).write(text, 'latin1');
  return new Uint8Array(shared);
}
