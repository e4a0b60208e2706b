import type { ResolvedStrategy } from '../strategies/strategy.schema.ts';

/** Returns a strategy that begins with a multiple of its cash. */
export function withScale(strategy: ResolvedStrategy, scale: number): ResolvedStrategy {
  const { cash } = strategy;
  return { ...strategy, cash: { ...cash, initial_minor: cash.initial_minor * scale } };
}

/** Returns a strategy without costs and without a limit on the share of the volume. */
export function withoutCosts(strategy: ResolvedStrategy): ResolvedStrategy {
  const { execution, costs, ...rest } = withCosts(strategy, 0);
  return {
    ...rest,
    execution: { ...execution, participation_max: null },
    costs: { ...costs, impact: { ...costs.impact, kind: 'none' } },
  };
}

/**
 * Returns a strategy with a multiple of all its costs. A cost that is a share of the amount is at most 100
 * %.
 */
export function withCosts(strategy: ResolvedStrategy, factor: number): ResolvedStrategy {
  if (factor === 1) return strategy;
  const { costs } = strategy;
  const share = (bps: number) => Math.min(10_000, bps * factor);
  return {
    ...strategy,
    costs: {
      proportional_bps: share(costs.proportional_bps),
      per_share: costs.per_share * factor,
      minimum: costs.minimum * factor,
      half_spread_bps: share(costs.half_spread_bps),
      impact: { ...costs.impact, y: costs.impact.y * factor },
      borrow_bps: share(costs.borrow_bps),
      buy_tax_bps: share(costs.buy_tax_bps),
      dividend_withholding_bps: share(costs.dividend_withholding_bps),
    },
  };
}
