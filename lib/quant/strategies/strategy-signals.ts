import { comparesEntities } from '#lib/data/feature-expression/expression.ts';
import { printExpression } from '#lib/data/feature-expression/print.ts';
import { conditionPanel } from './condition-panel.ts';
import { featurePanel } from './feature-panel.ts';
import type { PriceTable } from './price-table.ts';
import { expressionPanel, type Panel } from './signal-panel.ts';
import type { StrategyCache } from './strategy-cache.ts';
import type { StrategyData } from './strategy-data.ts';
import { readCondition, readSignal } from './strategy-formulas.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';
import { membersOf, priceSource, universeKey, universePanel } from './universe-panel.ts';

/** The universe, the signals and the condition of a strategy, for all sessions. */
export type StrategySignals = {
  /** The reason of each session and symbol, as an index into `universeReasons`. */
  universe: Uint8Array;
  signals: ReadonlyMap<string, Panel>;
  /**
   * 1 if the condition of the selection is met, 0 if not, NaN if it is unknown; null without a condition.
   */
  where: Panel | null;
};

/** Computes the signals of a strategy, each only once for all strategies that share the cache. */
export function strategySignals(
  strategy: ResolvedStrategy,
  data: StrategyData,
  table: PriceTable,
  cache: StrategyCache,
): StrategySignals {
  const ofUniverse = `${table.mode} ${universeKey(strategy.universe)}`;
  const universe = cache.get(`universe ${ofUniverse}`, () => universePanel(strategy.universe, data, table));
  const source = priceSource(table, () => cache.get(`members ${ofUniverse}`, () => membersOf(universe)));
  const keys = new Map<string, string>();
  const signals = new Map<string, Panel>();
  for (const [name, { expression }] of Object.entries(strategy.signals)) {
    const read = expression === null ? null : readSignal(expression);
    const key = read?.ok
      ? `signal ${comparesEntities(read.parsed) ? ofUniverse : table.mode} ${printExpression(read.parsed)}`
      : `feature ${table.mode} ${name}`;
    const panel = cache.get(key, () =>
      read?.ok ? expressionPanel(read.parsed, source) : featureOf(name, data, table),
    );
    keys.set(name, key);
    signals.set(name, panel);
  }
  const { where } = strategy.select;
  if (where === null) return { universe, signals, where: null };
  const read = readCondition(where, [...signals.keys()]);
  if (!read.ok) throw new Error(`the condition was not checked: ${read.message}`);
  const key = JSON.stringify(['where', where, ofUniverse, [...keys]]);
  const atSession = (name: string, k: number) => {
    const panel = signals.get(name)!;
    return Float64Array.from(table.tables[k]!.sessions, (t) => panel[t * table.symbols.length + k]!);
  };
  const holds = cache.get(key, () => conditionPanel(read.parsed, { ...source, column: atSession }));
  return { universe, signals, where: holds };
}

function featureOf(name: string, { features }: StrategyData, table: PriceTable): Panel {
  const values = features.find(({ signal }) => signal === name);
  return featurePanel(values ?? { signal: name, maxAgeDays: 0, entities: [] }, table);
}
