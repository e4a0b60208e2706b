import { addDays, dayNumber } from '#lib/core/date.ts';
import type { PriceBarsText } from '#lib/data/price-bars.ts';
import { prepareStrategy, type PreparedStrategy } from '#lib/quant/strategies/prepare-strategy.ts';
import { resolveStrategy } from '#lib/quant/strategies/resolve-strategy.ts';
import type { StrategyCache } from '#lib/quant/strategies/strategy-cache.ts';
import type { StrategyData } from '#lib/quant/strategies/strategy-data.ts';
import type { ResolvedStrategy, Strategy } from '#lib/quant/strategies/strategy.schema.ts';

/** Returns weekdays from a Monday on. */
export function weekdaysFrom(from: string, count: number): string[] {
  const days: string[] = [];
  for (let day = from; days.length < count; day = addDays(day, 1))
    if ((dayNumber(day) + 3) % 7 < 5) days.push(day);
  return days;
}

export const MONDAY = '2020-01-06';

/** Prices of a symbol by session; null is a session without a price. */
export type Closes = Record<string, readonly (number | null)[]>;

/**
 * Returns the data of a strategy for closes on the weekdays from a Monday on. The adjusted close and the
 * open equal the close.
 */
export function dataOf(closes: Closes, more: Partial<StrategyData> = {}): StrategyData {
  const symbols = Object.keys(closes).sort();
  const days = weekdaysFrom(MONDAY, Math.max(...Object.values(closes).map((each) => each.length)));
  const prices = symbols.flatMap((symbol): PriceBarsText[] => {
    const bars = closes[symbol]!.flatMap((close, t) =>
      close === null ? [] : [`${days[t]} ${close} ${close} ${close} ${close} ${close} 1000`],
    );
    return bars.length === 0 ? [] : [{ symbol, basis: 'quoted', bars: bars.join(','), assumed: 0 }];
  });
  const nothing = { actions: [], instruments: [], themes: [], features: [], rates: [] };
  return {
    from: days[0]!,
    to: days.at(-1)!,
    symbols,
    isTooLarge: false,
    versions: null,
    prices,
    ...nothing,
    ...more,
  };
}

/** Returns a resolved strategy. Throws if it has faults. */
export function resolved(strategy: Strategy): ResolvedStrategy {
  const resolution = resolveStrategy(strategy);
  if (!resolution.ok) throw new Error(JSON.stringify(resolution.faults));
  return resolution.strategy;
}

/** Prepares a strategy over its data. Throws if it is refused. */
export function prepared(strategy: Strategy, data: StrategyData, cache?: StrategyCache): PreparedStrategy {
  const preparation = prepareStrategy(resolved(strategy), data, cache, { sessionsMin: 1 });
  if (!preparation.ok) throw new Error(JSON.stringify(preparation.refusal));
  return preparation.prepared;
}

/** Decides in a session with the given weights, and returns the targets by symbol; null without trades. */
export function targetsAt(
  { decide, symbols, sessions }: PreparedStrategy,
  session: number,
  held: Readonly<Record<string, number>> = {},
  curve: readonly number[] = [],
): Record<string, number> | null {
  const weights = Float64Array.from(symbols, (symbol) => held[symbol] ?? 0);
  const values = Float64Array.from(sessions, (_, t) => curve[t] ?? 1);
  const targets = decide(session, { value: 1, cash: 1, weights, curve: values.subarray(0, session + 1) });
  return targets && Object.fromEntries(symbols.map((symbol, k) => [symbol, targets[k]!]));
}

/** Returns a list universe of the symbols of some data. */
export function listOf(closes: Closes): Strategy['universe'] {
  return { kind: 'list', symbols: Object.keys(closes) };
}
