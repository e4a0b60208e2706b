import { liquidityDays } from '#lib/numerics/risk/liquidity-days.ts';
import type { RiskPosition } from './risk-input.ts';

const HORIZONS = [1, 5, 21] as const;

/**
 * Returns the number of sessions that are needed to sell each position at 20 % of its 21-day median volume.
 * Also returns the share of the gross value that is sold within 1, 5 and 21 sessions. The same quantity of a
 * position is sold in each session. A position without enough volumes has null days and counts as unsold. The
 * result has the order of `positions`.
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
