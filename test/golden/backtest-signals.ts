import { standardDeviation } from '#lib/numerics/descriptive.ts';
import type { Case } from './backtests.ts';

/** Target weights by symbol, for each day with orders. */
type Targets = Map<string, Map<string, number>>;

/**
 * Computes the targets of a signal rule from the prices of a case: the largest returns over a period, or weights
 * proportional to inverse volatility. A rule decides on the last trading day of a month or quarter and trades on the
 * next one. Returns no targets for rules that are not fully stated.
 */
export function signalTargets({ rule, dates, symbols, prices }: Case): Targets {
  const lookback = Number(rule['lookback_days']);
  const decided = String(rule['decided']);
  const months = decided.startsWith('last trading day of a month')
    ? 1
    : decided.startsWith('last trading day of March')
      ? 3
      : 0;
  if (!Number.isInteger(lookback) || months === 0) return new Map();
  const series = (symbol: number, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => prices[(from + at) * symbols.length + symbol]!);
  const targets: Targets = new Map();
  for (let at = lookback; at + 1 < dates.length; at += 1) {
    if (!endsPeriod(dates[at]!, dates[at + 1]!, months)) continue;
    const windows = symbols.map((_, symbol) => series(symbol, at - lookback, at));
    const weights = rule['kind'] === 'momentum' ? strongest(windows, Number(rule['top'])) : calmest(windows);
    targets.set(dates[at + 1]!, new Map(symbols.map((symbol, index) => [symbol, weights[index]!])));
  }
  return targets;
}

function endsPeriod(day: string, next: string, months: number): boolean {
  const period = (date: string) => Math.floor((Number(date.slice(5, 7)) - 1) / months);
  return period(day) !== period(next) || day.slice(0, 4) !== next.slice(0, 4);
}

/** Returns equal weights of the windows with the largest returns. */
function strongest(windows: readonly number[][], top: number): number[] {
  const returns = windows.map((window) => window.at(-1)! / window[0]! - 1);
  const ranked = returns.map((_, at) => at).sort((one, other) => returns[other]! - returns[one]!);
  const chosen = new Set(ranked.slice(0, top));
  return windows.map((_, at) => (chosen.has(at) ? 1 / top : 0));
}

/** Returns weights proportional to the inverse of the standard deviation of one-day returns. */
function calmest(windows: readonly number[][]): number[] {
  const inverse = windows.map((window) => {
    const returns = window.slice(1).map((price, at) => price / window[at]! - 1);
    return 1 / standardDeviation(Float64Array.from(returns), { ddof: 1 });
  });
  const total = inverse.reduce((sum, each) => sum + each, 0);
  return inverse.map((each) => each / total);
}
