import { liquidityDays } from '#lib/numerics/risk/liquidity-days.ts';
import type { RiskPosition } from './risk-input.ts';

const HORIZONS = [1, 5, 21] as const;

/**
 * Returns how long it takes to sell the positions at 20 % of their 21-day median volume, and which share of their gross
 * value is sold within 1, 5 and 21 sessions. Each position sells evenly. A position without enough volume has null days
 * and counts as unsold. `positions` are in the order of the result.
 */
export function riskLiquidity(positions: readonly RiskPosition[]) {
  const rows = positions.map(({ symbol, quantity, volumes, valueMinor }) => ({
    symbol,
    days: volumes === null ? null : liquidityDays(quantity, volumes),
    size: Math.abs(Number(valueMinor ?? 0n)),
  }));
  const gross = rows.reduce((total, { size }) => total + size, 0);
  const soldBy = (horizon: number) =>
    rows.reduce(
      (total, { days, size }) =>
        total + (days === null ? 0 : days <= horizon ? size : (size * horizon) / days),
      0,
    );
  const known = rows.flatMap(({ days }) => (days === null ? [] : [days]));
  return {
    days_max: known.length === 0 ? null : known.reduce((most, each) => Math.max(most, each), 0),
    sold_within: HORIZONS.map((sessions) => ({
      sessions,
      value_share: gross === 0 ? null : soldBy(sessions) / gross,
    })),
    without_volume: rows.filter(({ days }) => days === null).map(({ symbol }) => symbol),
    positions: rows.map(({ symbol, days }) => ({ symbol, days })),
  };
}
