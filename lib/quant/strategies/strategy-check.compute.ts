import { toMinor } from '#lib/core/money.ts';
import type { ParameterValue } from './parameter.schema.ts';
import { earlyRefusal, emptyUniverse, insufficient } from './preparation-refusals.ts';
import { priceTable } from './price-table.ts';
import { decisionSessions } from './schedule.ts';
import { StrategyCache } from './strategy-cache.ts';
import type { StrategyCheckData } from './strategy-check.query.ts';
import type { StrategyCheck } from './strategy-check.schema.ts';
import { decideAt, type StrategyContext } from './strategy-decision.ts';
import { symbolEnds } from './strategy-market.ts';
import { firstDayOf } from './strategy-question.ts';
import type { StrategyRefusal } from './strategy-refusal.ts';
import { strategySignals } from './strategy-signals.ts';
import { minorUnitsOf } from './strategy-terms.ts';
import { priceGaps, strategyWarnings } from './strategy-warnings.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';

export type StrategyCheckInput = {
  strategy: ResolvedStrategy;
  parameters: Record<string, ParameterValue>;
  family: string;
  asOf: string;
  found: StrategyCheckData;
};

export type StrategyCheckAnswer =
  | { ok: true; check: StrategyCheck }
  | { ok: false; refusal: StrategyRefusal };

/** Decides in the last session of the data, from a start in cash, and explains the decision. It runs in a thread. */
export default function strategyCheck(input: StrategyCheckInput): StrategyCheckAnswer {
  const { strategy, parameters, family, asOf, found } = input;
  const { data, question, features } = found;
  const early = earlyRefusal(strategy, data);
  if (early) return { ok: false, refusal: early };
  const table = priceTable(data, strategy.execution.prices);
  const t = table.sessions.findLastIndex((day) => day >= data.from);
  const short = insufficient(t < 0 ? 0 : 1, 1);
  if (short) return { ok: false, refusal: short };
  const context = {
    strategy,
    data,
    table,
    signals: strategySignals(strategy, data, table, new StrategyCache()),
  };
  const empty = emptyUniverse(context, t);
  if (empty) return { ok: false, refusal: empty };
  const check: StrategyCheck = {
    strategy,
    parameters,
    family,
    as_of: asOf,
    data: {
      warmup_sessions: question.warmup,
      first_date: firstDayOf(question, data.from),
      prices: table.mode,
      symbols: data.symbols.length,
      symbols_with_prices: table.symbols.length,
      features: features.map(({ signal, revision }) => {
        const { feature, version } = strategy.signals[signal]!;
        return { signal, feature: feature!, version: version!, revision };
      }),
      cash_series: question.cashSeries,
      assumed_knowledge_share: table.assumedShare,
    },
    decision: explained(context, t),
    warnings: strategyWarnings(strategy, data, table, {
      first: 0,
      ends: symbolEnds(table, data),
      gaps: priceGaps(data, table),
    }),
  };
  return { ok: true, check };
}

function explained(
  context: StrategyContext & { data: { symbols: readonly string[] } },
  t: number,
): StrategyCheck['decision'] {
  const { strategy, table, signals, data } = context;
  const K = table.symbols.length;
  const { targets, reasons, selected, scale } = decideAt(context, t, new Float64Array(K));
  const invested = 1 - strategy.constraints.cash_min;
  const placeOf = new Map(table.symbols.map((symbol, k) => [symbol, k]));
  const symbols = data.symbols.map((symbol) => {
    const k = placeOf.get(symbol);
    const valueOf = (panel: Float64Array) => orNull(k === undefined ? Number.NaN : panel[t * K + k]!);
    const weight = k === undefined ? 0 : targets[k]! * invested;
    return {
      symbol,
      price: k === undefined ? null : closeAt(context, k, t),
      signals: Object.fromEntries([...signals.signals].map(([name, panel]) => [name, valueOf(panel)])),
      rank: k === undefined ? null : (selected.ranks.get(k) ?? null),
      weight,
      reason: weight !== 0 ? null : k === undefined ? ('no_price' as const) : (reasons.get(k) ?? null),
    };
  });
  return {
    date: table.sessions[t]!,
    scheduled: decisionSessions(table.sessions, 0, strategy.schedule)[t] === 1,
    symbols,
    scale,
    gross: symbols.reduce((sum, { weight }) => sum + Math.abs(weight), 0),
    net: symbols.reduce((sum, { weight }) => sum + weight, 0),
    trades: symbols.flatMap(({ symbol, weight, price }) => tradeOf(strategy, symbol, weight, price)),
  };
}

function tradeOf(
  { cash, execution }: ResolvedStrategy,
  symbol: string,
  weight: number,
  price: number | null,
): StrategyCheck['decision']['trades'] {
  if (weight === 0 || price === null) return [];
  const units = minorUnitsOf(cash.currency);
  const whole = (Math.abs(weight) * cash.initial_minor) / units / price;
  const quantity = execution.whole_shares ? Math.floor(whole) : whole;
  const amount = toMinor(quantity * price * units);
  if (quantity === 0 || !amount.ok) return [];
  return [{ symbol, side: weight > 0 ? 'buy' : 'sell', quantity, price, amount_minor: Number(amount.minor) }];
}

function closeAt({ table }: StrategyContext, k: number, t: number): number | null {
  const { sessions, columns } = table.tables[k]!;
  const at = sessions.indexOf(t);
  return at < 0 ? null : orNull(columns.close[at]!);
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
