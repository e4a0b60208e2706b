import { readPriceSeries, type PriceSeries } from './price-series.ts';
import { sessionCalendar } from './session-calendar.ts';
import type { StrategyData } from './strategy-data.ts';
import { priceColumns, type PriceColumn } from './strategy-formulas.ts';
import { actionEffects, indexOfAdjusted, indexOfQuoted, type ActionEffect } from './total-return-index.ts';

/** How positions are valued: by quoted prices with actions, or by a total return index. */
export type PriceMode = 'quoted' | 'total_return';

/** The observations of a symbol: the session of each, ascending, and its values. */
export type SymbolTable = {
  sessions: Int32Array;
  columns: Record<PriceColumn, Float64Array>;
  effects: ActionEffect[];
};

/** The prices of all symbols of a strategy in its sessions, from the first day that the signals need. */
export type PriceTable = {
  mode: PriceMode;
  sessions: string[];
  /** Observed days that are not sessions. */
  skipped: string[];
  /** The symbols with prices, in code unit order. */
  symbols: string[];
  tables: SymbolTable[];
  /** Share of the observations whose known-at time was assumed by the import. */
  assumedShare: number;
};

/** Returns the prices of a strategy by session. `prices` is the mode that the strategy requests. */
export function priceTable(
  { prices: texts, actions }: Pick<StrategyData, 'prices' | 'actions'>,
  prices: PriceMode | 'automatic',
): PriceTable {
  const series = texts.map(readPriceSeries).sort((one, other) => (one.symbol < other.symbol ? -1 : 1));
  const mode = prices === 'automatic' ? (actions.length > 0 ? 'quoted' : 'total_return') : prices;
  const calendar = sessionCalendar(series.map(({ days }) => days));
  const placeOf = new Map(calendar.sessions.map((day, at) => [day, at]));
  const bySymbol = Map.groupBy(actions, ({ symbol }) => symbol);
  const [assumed, observed] = series.reduce(
    ([some, all], each) => [some + each.assumed, all + each.days.length],
    [0, 0],
  );
  return {
    mode,
    ...calendar,
    symbols: series.map(({ symbol }) => symbol),
    tables: series.map((each) => {
      const effects = mode === 'quoted' ? actionEffects(bySymbol.get(each.symbol) ?? [], each.basis) : [];
      return symbolTable(each, effects, placeOf);
    }),
    assumedShare: observed === 0 ? 0 : assumed! / observed!,
  };
}

function symbolTable(
  series: PriceSeries,
  effects: ActionEffect[],
  placeOf: ReadonlyMap<string, number>,
): SymbolTable {
  const index = effects.length > 0 ? indexOfQuoted(series, effects) : indexOfAdjusted(series);
  const whole = { ...series.columns, adj_close: index };
  const kept = Array.from(series.days.keys()).filter((at) => placeOf.has(series.days[at]!));
  const columns = Object.fromEntries(
    priceColumns.map((name) => [name, Float64Array.from(kept, (at) => whole[name][at]!)]),
  ) as SymbolTable['columns'];
  return { sessions: Int32Array.from(kept, (at) => placeOf.get(series.days[at]!)!), columns, effects };
}
