import { monthsBefore, lastCompletedMonth, monthOf } from '#lib/core/date.ts';
import type { SymbolPrices } from '#lib/data/price-text.ts';
import { parseDecimal } from '#lib/numerics/decimal.ts';

/**
 * Returns simple monthly returns of symbols as fractions, over the last `months` completed months before a
 * day, oldest first. A return is null if its month or the month before has no price.
 */
export function monthlyReturns(
  prices: readonly SymbolPrices[],
  { asOf, months }: { asOf: string; months: number },
): Record<string, (number | null)[]> {
  const last = lastCompletedMonth(asOf);
  const names = Array.from({ length: months + 1 }, (_, at) => monthsBefore(last, months - at));
  return Object.fromEntries(
    prices.map(({ symbol, observations }) => {
      const priceOf = new Map(observations.map(({ date, price }) => [monthOf(date), parseDecimal(price)]));
      const returns = names.slice(1).map((name, at) => {
        const [before, price] = [priceOf.get(names[at]!), priceOf.get(name)];
        return before === undefined || price === undefined ? null : price / before - 1;
      });
      return [symbol, returns];
    }),
  );
}
