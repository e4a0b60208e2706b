import { canonicalJson } from '#lib/core/seal.ts';
import type { Market, MarketAction } from '#lib/numerics/backtesting/market.ts';
import { expressionPanel } from './signal-panel.ts';
import type { PriceTable, SymbolTable } from './price-table.ts';
import type { StrategyData } from './strategy-data.ts';
import type { PriceColumn } from './strategy-formulas.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';
import { knownTexts, priceSource } from './universe-panel.ts';

/**
 * Number of sessions at the end of the data in which a missing price does not mean that a series has ended.
 */
const PATIENCE = 5;

/** A symbol that ends. From the session `session` on, its position is cash. */
export type SymbolEnd = { symbol: number; session: number };

/** Returns the key of a market in a cache. All entries of a cache have the same data and first session. */
export function marketKey({ execution, costs }: ResolvedStrategy, { mode }: PriceTable): string {
  const { price, participation_max: most, delisting_loss: loss } = execution;
  const { kind, window } = costs.impact;
  return `market ${canonicalJson([mode, price, most !== null, loss, kind === 'none' ? null : window])}`;
}

/**
 * Returns the market of the sessions from `first` on. With total return indices, volumes are scaled so that
 * traded amounts equal those at quoted prices.
 */
export function strategyMarket(
  { execution, costs }: ResolvedStrategy,
  table: PriceTable,
  { first, ends }: { first: number; ends: readonly SymbolEnd[] },
): Market {
  const T = table.sessions.length - first;
  const K = table.symbols.length;
  const isIndex = table.mode === 'total_return';
  const ratioOf = ({ columns }: SymbolTable, at: number) =>
    isIndex ? columns.adj_close[at]! / columns.close[at]! : 1;
  const panelOf = (column: PriceColumn, scale: (own: SymbolTable, at: number) => number) => {
    const panel = new Float64Array(T * K).fill(Number.NaN);
    table.tables.forEach((own, k) => {
      own.sessions.forEach((t, at) => {
        if (t >= first) panel[(t - first) * K + k] = own.columns[column][at]! * scale(own, at);
      });
    });
    return panel;
  };
  const close = panelOf('close', ratioOf);
  const needsVolume = execution.participation_max !== null || costs.impact.kind !== 'none';
  return {
    sessions: T,
    symbols: K,
    close,
    trade: execution.price === 'close' ? close : panelOf('open', ratioOf),
    volume: needsVolume ? panelOf('volume', (own, at) => 1 / ratioOf(own, at)) : null,
    volatility: costs.impact.kind === 'none' ? null : volatilityBefore(table, costs.impact.window, first),
    actions: actionsOf(table, { first, ends, loss: execution.delisting_loss }),
  };
}

/**
 * Returns, for each session, the standard deviation of the returns of the `window` sessions before it. These returns
 * were known when the session traded.
 */
function volatilityBefore(table: PriceTable, window: number, first: number): Float64Array {
  const returns = {
    type: 'moving',
    name: 'return',
    of: { type: 'column', name: 'adj_close' },
    periods: 1,
  } as const;
  const deviation = { type: 'moving', name: 'sd', of: returns, periods: window } as const;
  const panel = expressionPanel(
    { type: 'moving', name: 'lag', of: deviation, periods: 1 },
    priceSource(table, () => new Uint8Array()),
  );
  return panel.slice(first * table.symbols.length);
}

/**
 * Returns the actions after the first session, because no position is held before that session. An action takes effect
 * in the first session on or after its day.
 */
function actionsOf(
  { sessions, tables }: PriceTable,
  { first, ends, loss }: { first: number; ends: readonly SymbolEnd[]; loss: number },
): MarketAction[] {
  const actions: MarketAction[] = [];
  tables.forEach(({ effects }, symbol) => {
    for (const { day, ratio, dividend } of effects) {
      const at = sessions.findIndex((each) => each >= day);
      if (at <= first) continue;
      const session = at - first;
      if (ratio !== 1) actions.push({ session, symbol, type: 'split', ratio });
      if (dividend > 0) actions.push({ session, symbol, type: 'dividend', amount: dividend });
    }
  });
  for (const { symbol, session } of ends)
    if (session > first) actions.push({ session: session - first, symbol, type: 'exit', loss });
  // Sorting is stable, so the split of a symbol stays before its dividend, and both before its exit.
  return actions.sort((one, other) => one.session - other.session || one.symbol - other.symbol);
}

/**
 * Returns the ends of symbols. A symbol ends in the session after its last price if this price is more than five
 * sessions before the last session, or if the instrument is known to be delisted or merged.
 */
export function symbolEnds(
  { sessions, symbols, tables }: PriceTable,
  { instruments }: Pick<StrategyData, 'instruments'>,
): SymbolEnd[] {
  const facts = Map.groupBy(instruments, ({ symbol }) => symbol);
  return symbols.flatMap((symbol, k) => {
    const last = tables[k]!.sessions.at(-1) ?? -1;
    if (last < 0 || last >= sessions.length - 1) return [];
    const status = knownTexts(facts.get(symbol) ?? [], 'status', [sessions.at(-1)!])[0];
    const isGone = status === 'delisted' || status === 'merged';
    return isGone || last < sessions.length - 1 - PATIENCE ? [{ symbol: k, session: last + 1 }] : [];
  });
}
