import type { PriceTable } from './price-table.ts';
import type { StrategyData } from './strategy-data.ts';
import type { SymbolEnd } from './strategy-market.ts';
import { SYMBOLS_NAMED, type StrategyWarning } from './strategy-refusal.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';

/** Number of sessions after which the last price of a position is stale. */
const STALE_AFTER = 5;

/** The symbols of a universe without prices in the window, and those with a gap of more than five sessions. */
export type PriceGaps = { unpriced: string[]; stale: string[] };

/** Returns the gaps in the prices of a universe. They do not depend on the strategy. */
export function priceGaps({ symbols }: Pick<StrategyData, 'symbols'>, table: PriceTable): PriceGaps {
  const priced = new Set(table.symbols);
  return { unpriced: symbols.filter((symbol) => !priced.has(symbol)), stale: staleSymbols(table) };
}

/** Returns the warnings about a strategy and its data. */
export function strategyWarnings(
  strategy: ResolvedStrategy,
  data: Pick<StrategyData, 'rates'>,
  table: PriceTable,
  { first, ends, gaps }: { first: number; ends: readonly SymbolEnd[]; gaps: PriceGaps },
): StrategyWarning[] {
  const warnings: StrategyWarning[] = [];
  const add = (code: string, detail: string, symbols: readonly string[] = []) =>
    warnings.push({ code, detail, symbols: symbols.slice(0, SYMBOLS_NAMED) });
  const { universe, execution, cash } = strategy;
  const isChosenToday = universe.kind === 'list' || universe.kind === 'observed';
  if (isChosenToday && !ends.some(({ session }) => session > first))
    add('survivorship', 'No symbol of the universe ever left it, so it may contain survivors only.');
  const { unpriced, stale } = gaps;
  if (unpriced.length > 0)
    add('no_prices', `${unpriced.length} symbols of the universe have no prices in the window.`, unpriced);
  if (stale.length > 0)
    add(
      'stale_valuation',
      `${stale.length} symbols have gaps of more than ${STALE_AFTER} sessions without a price.`,
      stale,
    );
  if (table.assumedShare > 0)
    add(
      'assumed_knowledge',
      `For ${Math.round(table.assumedShare * 1_000) / 10} % of the prices, the import assumed that they became known at the end of their day.`,
    );
  const features = Object.entries(strategy.signals).filter(([, { feature }]) => feature !== null);
  if (features.length > 0)
    add(
      'feature_knowledge_unrecorded',
      `The signals ${features.map(([name]) => name).join(', ')} read features. A feature value does not record whether its time of knowledge was assumed, so the assumed share counts prices only.`,
    );
  if (table.skipped.length > 0)
    add(
      'sessions_skipped',
      `${table.skipped.length} days have prices for fewer than half of the symbols, so they are not sessions.`,
    );
  if (execution.same_bar && strategy.schedule.lag === 0)
    add('same_bar', 'Orders are filled at the close that the decision uses, which is optimistic.');
  if (typeof cash.rate === 'string' && !data.rates.some(({ knownOn }) => knownOn <= table.sessions[first]!))
    add(
      'cash_rate_unknown',
      `No value of ${cash.rate} was known in the first session. The rate is 0 until then.`,
    );
  return warnings;
}

/** The symbols with a gap of more than five sessions between two prices. */
function staleSymbols({ symbols, tables }: PriceTable): string[] {
  return symbols.filter((_, k) =>
    tables[k]!.sessions.some((t, at, sessions) => at > 0 && t - sessions[at - 1]! > STALE_AFTER + 1),
  );
}
