import fc from 'fast-check';
import type { Decide } from '#lib/numerics/backtesting/decision.ts';
import type { Market } from '#lib/numerics/backtesting/market.ts';
import type { Terms } from '#lib/numerics/backtesting/terms.ts';

/** Terms without costs, limits or interest. Cash is 1,000 at first, and orders are filled at the decision. */
export const plain: Terms = {
  initial: 1_000,
  cashMin: 0,
  creditMax: 0,
  cashRate: new Float64Array(1_000),
  lag: 0,
  wholeShares: false,
  sizeAtDecision: false,
  participationMax: null,
  proportional: 0,
  halfSpread: 0,
  perShare: 0,
  minimum: 0,
  impact: 0,
  buyTax: 0,
  dividendWithholding: 0,
  borrow: 0,
  sessionsPerYear: 252,
};

/** Returns a market from rows of closes; orders are filled at the closes. */
export function marketOf(rows: readonly (readonly number[])[], more: Partial<Market> = {}): Market {
  const close = Float64Array.from(rows.flat());
  return {
    sessions: rows.length,
    symbols: rows[0]!.length,
    close,
    trade: close,
    volume: null,
    volatility: null,
    actions: [],
    ...more,
  };
}

/** Returns a decision that has the given targets in some sessions and none in all others. */
export const targetsAt =
  (targets: Readonly<Record<number, readonly number[]>>): Decide =>
  (session) =>
    targets[session] ? Float64Array.from(targets[session]) : null;

/** A market with random prices and, for each session, targets or null. Long positions only. */
export type Story = { rows: number[][]; targets: (number[] | null)[] };

export const stories: fc.Arbitrary<Story> = fc
  .record({ sessions: fc.integer({ min: 2, max: 12 }), symbols: fc.integer({ min: 1, max: 4 }) })
  .chain(({ sessions, symbols }) =>
    fc.record({
      rows: fc.array(
        fc.array(fc.double({ min: 1, max: 200, noNaN: true }), { minLength: symbols, maxLength: symbols }),
        { minLength: sessions, maxLength: sessions },
      ),
      targets: fc.array(
        fc.option(
          fc
            .array(fc.integer({ min: 0, max: 5 }), { minLength: symbols, maxLength: symbols })
            .map((parts) => parts.map((part) => part / Math.max(1, sum(parts)))),
        ),
        { minLength: sessions, maxLength: sessions },
      ),
    }),
  );

/** Returns a decision function with the targets of a random market. */
export const decideOf =
  ({ targets }: Story): Decide =>
  (session) =>
    targets[session] ? Float64Array.from(targets[session]) : null;

export const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
