import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { readPrices, type PricesQuestion, type PricesWanted } from './price-reader.query.ts';
import type { SymbolPriceText } from './price-text.ts';

const adjusted = sql`coalesce(o.adj_close, o.close)`;

/**
 * The values of which a series can be made. `return` is the adjusted close or, if there is none, the close. `close` is
 * the close as imported. Every observation has a close, and some have no volume.
 */
const members: Record<'return' | 'volume' | 'close', PricesWanted> = {
  return: { columns: ['adj_close', 'close'], text: adjusted },
  volume: { columns: ['volume'], value: sql`o.volume`, text: sql`o.volume` },
  close: { columns: ['close'], text: sql`o.close` },
};

export type SeriesQuestion = PricesQuestion & { member: keyof typeof members };

/**
 * Returns the series of each symbol as one text, `date value,date value,...`, in the order of `readPrices`. A value is
 * the imported decimal text. Rows without a value are left out.
 */
export function priceSeriesTexts(
  em: Em,
  { member, ...question }: SeriesQuestion,
): Promise<SymbolPriceText[]> {
  return readPrices(em, question, {
    ...members[member],
    keptAs: member,
    make: ({ symbol, observations }) => ({ symbol, observations }),
  });
}

/** The closes of a symbol, and whether they are divided by later splits. */
export type SymbolCloseText = SymbolPriceText & { isSplitAdjusted: boolean };

/** Returns the closes of each symbol, in the form of `priceSeriesTexts`, with the price basis of their dataset. */
export function closeSeriesTexts(em: Em, question: PricesQuestion): Promise<SymbolCloseText[]> {
  return readPrices(em, question, {
    ...members.close,
    make: ({ symbol, observations, basis }) => ({
      symbol,
      observations,
      isSplitAdjusted: basis === 'split_adjusted',
    }),
  });
}
