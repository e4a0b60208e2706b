import { standardDeviation } from '#lib/numerics/descriptive.ts';
import { groupLimits } from './group-limits.ts';
import { limitWeights } from './limit-weights.ts';
import { pastReturns } from './past-returns.ts';
import type { PriceTable } from './price-table.ts';
import { schemeWeights, type WeightReason } from './scheme-weights.ts';
import { selectSymbols, type Selected } from './select-symbols.ts';
import type { StrategyData } from './strategy-data.ts';
import type { StrategySignals } from './strategy-signals.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';
import { universeReasons, type UniverseReason } from './universe-panel.ts';

/** Number of sessions per year. */
export const SESSIONS_PER_YEAR = { daily: 252, monthly: 12 } as const;

/** A difference of up to this size between two weights counts as a rounding error. */
const ROUNDING = 1e-12;

/** All that the decisions of a strategy depend on, apart from the portfolio. */
export type StrategyContext = {
  strategy: ResolvedStrategy;
  data: Pick<StrategyData, 'instruments' | 'themes'>;
  table: PriceTable;
  signals: StrategySignals;
};

/** Why a symbol is not held after a decision. */
export type SymbolReason =
  | Exclude<UniverseReason, 'in'>
  | WeightReason
  | 'select_where_false'
  | 'select_where_unknown'
  | 'signal_missing'
  | 'not_selected';

/** A decision, with the reason of each symbol that is not held. */
export type StrategyDecision = {
  selected: Selected;
  /** Target weights of the K symbols, as shares of the invested value. NaN keeps the position. */
  targets: Float64Array;
  reasons: Map<number, SymbolReason>;
  /** The factor of the volatility target; 1 without a volatility target. */
  scale: number;
  /** Whether the decision places orders: without a band always, otherwise if a weight differs by more than the band. */
  trades: boolean;
};

/** Decides at the close of the session `t`. `held`: the current weights, as shares of the value. */
export function decideAt(context: StrategyContext, t: number, held: Float64Array): StrategyDecision {
  const { strategy, table, signals } = context;
  const { symbols } = table;
  const K = symbols.length;
  const reasons = new Map<number, SymbolReason>();
  const at = t * K;
  const candidates = Array.from(symbols.keys()).filter((k) => isCandidate(signals, at + k, k, reasons));
  const valueOf = signalOf(signals, strategy.select.by, at);
  const selected = selectSymbols(strategy, { candidates, valueOf, isHeld: (k) => held[k]! > 0 });
  const isChosen = new Set([...selected.longs, ...selected.shorts]);
  for (const k of candidates) {
    if (isChosen.has(k)) continue;
    reasons.set(k, valueOf !== null && Number.isNaN(valueOf(k)) ? 'signal_missing' : 'not_selected');
  }
  const wanted = weigh(context, t, selected, reasons);
  const scale = scaleOf(context, t, wanted);
  const limited = limitWeights(
    wanted.map((weight) => weight * scale),
    {
      weightMax: strategy.constraints.weight_max,
      groups: groupLimits(strategy.constraints, context.data, { symbols, day: table.sessions[t]! }),
    },
  );
  const kept = keepUnpriced(context, t, limited, held);
  const targets = withinTurnover(kept, held, strategy.constraints);
  return { selected, targets, reasons, scale, trades: isBeyondBand(targets, held, strategy) };
}

function isCandidate(
  { universe, where }: StrategySignals,
  place: number,
  k: number,
  reasons: Map<number, SymbolReason>,
): boolean {
  const reason = universeReasons[universe[place]!]!;
  if (reason !== 'in') reasons.set(k, reason);
  else if (where !== null && where[place] !== 1)
    reasons.set(k, where[place] === 0 ? 'select_where_false' : 'select_where_unknown');
  else return true;
  return false;
}

function signalOf(
  { signals }: StrategySignals,
  name: string | null,
  at: number,
): ((k: number) => number) | null {
  const panel = name === null ? undefined : signals.get(name);
  return panel === undefined ? null : (k) => panel[at + k]!;
}

function weigh(
  { strategy, table, signals }: StrategyContext,
  t: number,
  { longs, shorts }: Selected,
  reasons: Map<number, SymbolReason>,
): Float64Array {
  const { weight, select } = strategy;
  const isFixed = weight.scheme === 'fixed';
  const gross = isFixed ? 1 : weight.gross;
  const valueOf = signalOf(signals, weight.by ?? select.by, t * table.symbols.length) ?? (() => Number.NaN);
  const targets = new Float64Array(table.symbols.length);
  const put = (symbols: readonly number[], sign: 1 | -1) => {
    if (symbols.length === 0) return;
    const found = schemeWeights(strategy, symbols, sign, { table, t, valueOf });
    for (const [at, k] of symbols.entries())
      if (found.weights[at]! > 0) targets[k] = sign * gross * found.weights[at]!;
    for (const [k, reason] of found.reasons) if (targets[k] === 0) reasons.set(k, reason);
  };
  put(longs, 1);
  put(isFixed ? longs : shorts, -1);
  if (isFixed) for (const k of longs) if (targets[k] !== 0) reasons.delete(k);
  return targets;
}

/** Returns the factor of the volatility target. Without enough returns, the weights are not scaled. */
function scaleOf({ strategy, table }: StrategyContext, t: number, weights: Float64Array): number {
  const target = strategy.overlay.volatility_target;
  const held = Array.from(weights.keys()).filter((k) => weights[k] !== 0);
  if (!target || held.length === 0) return 1;
  const returns = pastReturns(table, held, { t, window: target.window });
  const gross = held.reduce((sum, k) => sum + Math.abs(weights[k]!), 0);
  const portfolio: number[] = [];
  for (let place = 0; place < target.window; place += 1) {
    const sum = held.reduce((total, k, at) => total + weights[k]! * returns[at]![place]!, 0);
    if (!Number.isNaN(sum)) portfolio.push(sum);
  }
  const most = target.leverage_max / gross;
  if (portfolio.length < 2 || portfolio.length * 2 < target.window) return Math.min(1, most);
  const annual = standardDeviation(portfolio, { ddof: 1 }) * Math.sqrt(SESSIONS_PER_YEAR[strategy.frequency]);
  return annual > 0 ? Math.min(target.annual / annual, most) : most;
}

/**
 * Keeps the positions of symbols that have no price in the session, because such positions cannot be sold at a known
 * price. The other long weights are scaled down to leave room for these positions.
 */
function keepUnpriced(
  { strategy, signals }: StrategyContext,
  t: number,
  weights: Float64Array,
  held: Float64Array,
): Float64Array {
  const K = weights.length;
  const noPrice = universeReasons.indexOf('no_price');
  const kept = Array.from(held.keys()).filter(
    (k) => held[k] !== 0 && signals.universe[t * K + k] === noPrice,
  );
  if (kept.length === 0) return weights;
  const invested = 1 - strategy.constraints.cash_min;
  const long = kept.reduce((sum, k) => sum + Math.max(held[k]!, 0), 0) / (invested || 1);
  let wanted = 0;
  for (const weight of weights) if (weight > 0) wanted += weight;
  const factor = wanted > 0 ? Math.max(wanted - long, 0) / wanted : 1;
  const targets = weights.map((weight) => (weight > 0 ? weight * factor : weight));
  for (const k of kept) targets[k] = Number.NaN;
  return targets;
}

function withinTurnover(
  targets: Float64Array,
  held: Float64Array,
  { turnover_max: max, cash_min: cashMin }: ResolvedStrategy['constraints'],
): Float64Array {
  const invested = 1 - cashMin;
  if (max === null || invested === 0) return targets;
  const changeOf = (k: number) => (Number.isNaN(targets[k]!) ? 0 : targets[k]! * invested - held[k]!);
  let turnover = 0;
  for (let k = 0; k < targets.length; k += 1) turnover += Math.abs(changeOf(k));
  if (turnover <= max + ROUNDING) return targets;
  return targets.map((target, k) =>
    Number.isNaN(target) ? target : (held[k]! + (changeOf(k) * max) / turnover) / invested,
  );
}

/**
 * Whether a position begins or ends, or a weight differs from its target by more than the band. Without a band, every
 * position is traded towards its target, even if no weight differs now, because prices move until the orders are
 * filled. A difference that equals the band up to rounding is within the band, so the result does not depend on the
 * size of the portfolio.
 */
function isBeyondBand(
  targets: Float64Array,
  held: Float64Array,
  { schedule, constraints }: ResolvedStrategy,
): boolean {
  const invested = 1 - constraints.cash_min;
  return targets.some((target, k) => {
    if (Number.isNaN(target) || (target === 0 && held[k] === 0)) return false;
    if (schedule.band === 0 || target === 0 || held[k] === 0) return true;
    return Math.abs(target * invested - held[k]!) > schedule.band + ROUNDING;
  });
}
