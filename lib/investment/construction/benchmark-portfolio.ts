import { compareText } from '#lib/core/compare-text.ts';
import type { LastClose } from '../portfolios/close.query.ts';
import type { PortfolioGroup } from '../portfolios/portfolio-group.ts';
import { valuedPositions } from '../portfolios/valued-positions.ts';
import { refused } from './construction-refusal.ts';

/**
 * A portfolio that is the benchmark of another portfolio. Its positions and cash must be in the currency of the other
 * portfolio.
 */
export type ComparedPortfolio = {
  key: string;
  group: PortfolioGroup;
  closes: readonly LastClose[];
  currency: string;
};

export type BenchmarkWeights =
  | { ok: true; weights: Record<string, number> }
  | { ok: false; code: 'portfolio_inconsistent'; detail: string };

/**
 * Returns the weights of a portfolio at the end of the as-of day of its group: the value of each position as a share of
 * the value of positions and cash. The rest up to 1 is cash, which has no risk.
 *
 * Throws `currencies_mixed` if a position or cash is in a currency other than `currency`. Throws
 * `market_history_insufficient` if a position has no price from the last 7 days, or if the value is not above 0.
 */
export function benchmarkWeights({ key, group, closes, currency }: ComparedPortfolio): BenchmarkWeights {
  const found = valuedPositions(group, { keys: [key], closes }).get(key)!;
  if (found.state === 'inconsistent')
    return { ok: false, code: 'portfolio_inconsistent', detail: `The benchmark: ${found.detail}` };
  const { positions } = found;
  const cash = found.cash.filter(({ amountMinor }) => amountMinor !== 0n);
  const quoted = positions.flatMap(({ otherCurrency }) => otherCurrency ?? []);
  const currencies = [
    ...new Set([currency, ...[...positions, ...cash].map((each) => each.currency), ...quoted]),
  ];
  currencies.sort(compareText);
  if (currencies.length > 1) {
    const detail = `The positions, closes and cash of the benchmark ${key} are in ${currencies.join(', ')}. A construction needs one currency.`;
    throw refused('currencies_mixed', detail, { currencies });
  }
  const missing = positions.filter(({ valueMinor }) => valueMinor === null).map(({ symbol }) => symbol);
  let value = cash.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  for (const { valueMinor } of positions) value += valueMinor ?? 0n;
  if (missing.length > 0 || value <= 0n) {
    const reason =
      missing.length > 0 ? `has no price of ${missing.slice(0, 20).join(', ')}` : 'has no value above 0';
    const members = {
      observed: positions.length - missing.length,
      needed: positions.length,
      symbols: missing,
    };
    throw refused('market_history_insufficient', `The benchmark ${key} ${reason}.`, members);
  }
  const weights = positions.map(({ symbol, valueMinor }) => [symbol, Number(valueMinor) / Number(value)]);
  return { ok: true, weights: Object.fromEntries(weights) };
}
