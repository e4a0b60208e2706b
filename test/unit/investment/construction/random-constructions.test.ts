import { expect } from 'chai';
import fc from 'fast-check';
import { constructPortfolio } from '#lib/investment/construction/construct-portfolio.ts';
import type { ConstructionRequestBody } from '#lib/investment/construction/construction.schema.ts';
import type { ConstructionResult } from '#lib/investment/construction/construction-result.schema.ts';
import { construction, holding, SYMBOLS } from './sample-market.ts';

const share = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const objective = fc.oneof(
  fc
    .constantFrom(
      'minimum_variance',
      'maximum_sharpe',
      'minimum_cvar',
      'minimum_cdar',
      'minimum_mad',
      'risk_budget',
      'hierarchical_risk_parity',
      'maximum_diversification',
      'minimum_tracking_error',
      'inverse_volatility',
      'equal',
    )
    .map((kind) => ({ kind })),
  fc.record({ kind: fc.constant('mean_variance'), risk_aversion: share(1, 500) }),
  fc.record({ kind: fc.constant('target_return'), target: share(0, 0.9) }),
  fc.record({ kind: fc.constant('target_volatility'), target: share(0.03, 0.1) }),
);

const constraints = fc.record({
  weight: optional(fc.record({ max: share(0.1, 1) })),
  groups: optional(
    fc
      .record({ by: fc.constant('sector'), name: fc.constant('Energy'), max: share(0, 1) })
      .map((group) => [group]),
  ),
  turnover_max: optional(share(0, 2)),
  volatility_max: optional(share(0.035, 0.1)),
  tracking_error_max: optional(share(0, 0.05)),
  positions_max: optional(fc.integer({ min: 1, max: 6 })),
  cash_min: optional(share(0, 0.5)),
  liquidity: optional(fc.record({ days: share(0.1, 20) })),
});

const tax = fc.record({
  rates: fc.constant({ short_bps: 3700, long_bps: 2000 }),
  aversion: fc.constantFrom(0, 0.01, 1),
  realised_gain_max_minor: optional(fc.integer({ min: -10_000_000, max: 50_000_000 })),
});
const costs = fc.record({
  linear_bps: share(0, 50),
  impact: optional(fc.record({ y: share(0, 2) })),
  aversion: fc.constantFrom(0, 1, 5),
});

const holdings = fc
  .array(fc.record({ quantity: fc.integer({ min: 0, max: 20_000 }), gain: share(-0.5, 0.9) }), {
    minLength: SYMBOLS.length,
    maxLength: SYMBOLS.length,
  })
  .map((positions) =>
    positions.map(({ quantity, gain }, k) => {
      const own = holding(SYMBOLS[k]!, quantity);
      const value = Number(own.quantity * own.price!) / 1e14;
      const basisMinor = BigInt(Math.round((value / 2) * (1 - gain)));
      const half = { quantity: own.quantity / 2n, basisMinor };
      const lots = [
        { lot: 'old', slice: 0, term: 'long' as const, ...half },
        { lot: 'new', slice: 0, term: 'short' as const, ...half, basisMinor: (basisMinor * 3n) / 2n },
      ];
      return { ...own, lots: quantity === 0 ? [] : lots };
    }),
  );

describe('a construction with a random request', () => {
  it('meets all limits of its request, or is refused with an expected code', () => {
    const request = fc.record({
      objective,
      constraints,
      costs: optional(costs),
      tax: optional(tax),
      returns: fc.constant({ kind: 'historical' }),
    });
    fc.assert(
      fc.property(request, holdings, (drawn, held) => {
        const body = JSON.parse(JSON.stringify(drawn)) as ConstructionRequestBody;
        const change = { holdings: held, benchmark: { AAA: 1, CCC: 1, FFF: 1 } };
        const outcome = constructPortfolio(construction(body, change));
        if (outcome.ok) requireLimits(body.constraints ?? {}, outcome.result);
        else
          expect(outcome.refusal.code).to.be.oneOf([
            'constraints_infeasible',
            'no_excess_return',
            'validation_failed',
          ]);
      }),
      { numRuns: 100 },
    );
  });
});

function requireLimits(
  limits: NonNullable<ConstructionRequestBody['constraints']>,
  { weights, turnover, volatility, tracking_error, cash_left_minor, kkt_residual }: ConstructionResult,
): void {
  const held = Object.values(weights);
  const within = (value: number, max: number | undefined) =>
    expect(value).to.be.at.most((max ?? Infinity) + 1e-8);
  expect(held.reduce((sum, each) => sum + each, 0)).to.be.closeTo(1 - (limits.cash_min ?? 0), 1e-12);
  expect(Math.min(...held)).to.be.at.least(-1e-12);
  within(Math.max(...held), limits.weight?.max);
  within((weights['AAA'] ?? 0) + (weights['BBB'] ?? 0) + (weights['CCC'] ?? 0), limits.groups?.[0]!.max);
  within(turnover, limits.turnover_max);
  within(volatility, limits.volatility_max);
  within(tracking_error!, limits.tracking_error_max);
  within(held.filter((weight) => weight > 1e-9).length, limits.positions_max);
  within(kkt_residual ?? 0, 0);
  expect(cash_left_minor).to.be.at.least(0);
}
