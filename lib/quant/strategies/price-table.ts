import type { PriceBarsText } from '#lib/data/price-bars.ts';
import { observedDays, readPriceSeries } from './price-series.ts';
import { sessionCalendar } from './session-calendar.ts';
import type { StrategyData } from './strategy-data.ts';
import type { PriceColumn } from './strategy-formulas.ts';
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

/**
 * Returns the prices of a strategy by session. `prices` is the mode that the strategy requests. The texts of one symbol
 * at a time are parsed, so that few numbers that no strategy reads are in memory.
 */
export function priceTable(
  { prices: texts, actions }: Pick<StrategyData, 'prices' | 'actions'>,
  prices: PriceMode | 'automatic',
): PriceTable {
  const sorted = [...texts].sort((one, other) => (one.symbol < other.symbol ? -1 : 1));
  const mode = prices === 'automatic' ? (actions.length > 0 ? 'quoted' : 'total_return') : prices;
  const known = new Map<string, string>();
  const observed = sorted.map((each) => observedDays(each, known));
  const calendar = sessionCalendar(observed);
  const placeOf = new Map(calendar.sessions.map((day, at) => [day, at]));
  const bySymbol = Map.groupBy(actions, ({ symbol }) => symbol);
  const assumed = sorted.reduce((sum, each) => sum + each.assumed, 0);
  const bars = observed.reduce((sum, days) => sum + days.length, 0);
  return {
    mode,
    ...calendar,
    symbols: sorted.map(({ symbol }) => symbol),
    tables: sorted.map((text, k) => {
      const effects = mode === 'quoted' ? actionEffects(bySymbol.get(text.symbol) ?? [], text.basis) : [];
      const days = observed[k]!;
      observed[k] = [];
      return symbolTable(text, days, { effects, placeOf });
    }),
    assumedShare: bars === 0 ? 0 : assumed / bars,
  };
}

function symbolTable(
  text: PriceBarsText,
  days: string[],
  { effects, placeOf }: { effects: ActionEffect[]; placeOf: ReadonlyMap<string, number> },
): SymbolTable {
  const series = readPriceSeries(text, days);
  const index = effects.length > 0 ? indexOfQuoted(series, effects) : indexOfAdjusted(series);
  const kept = Int32Array.from(Array.from(days.keys()).filter((at) => placeOf.has(days[at]!)));
  const inSessions = (values: Float64Array) => Float64Array.from(kept, (at) => values[at]!);
  const columns = { close: inSessions(series.columns.close), adj_close: inSessions(index) };
  return {
    sessions: kept.map((at) => placeOf.get(days[at]!)!),
    columns: withRareColumns(columns, (name) =>
      inSessions(readPriceSeries(text, observedDays(text, new Map())).columns[name]),
    ),
    effects,
  };
}

type RareColumn = Exclude<PriceColumn, 'close' | 'adj_close'>;

/** Adds the other columns of prices, each of which is read when it is first used. Most strategies use none of them. */
function withRareColumns(
  columns: Pick<SymbolTable['columns'], 'close' | 'adj_close'>,
  read: (name: RareColumn) => Float64Array,
): SymbolTable['columns'] {
  const known = new Map<RareColumn, Float64Array>();
  const columnOf = (name: RareColumn): Float64Array => {
    const values = known.get(name) ?? read(name);
    known.set(name, values);
    return values;
  };
  return {
    ...columns,
    get open() {
      return columnOf('open');
    },
    get high() {
      return columnOf('high');
    },
    get low() {
      return columnOf('low');
    },
    get volume() {
      return columnOf('volume');
    },
    get dollar_volume() {
      return columnOf('dollar_volume');
    },
  };
}
