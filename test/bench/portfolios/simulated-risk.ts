import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import { PHILOX_DOMAINS } from '#lib/numerics/philox.ts';
import { uniformStream } from '#lib/numerics/uniform-stream.ts';
import type { RiskInput, RiskPosition } from '#lib/investment/risk/risk-input.ts';
import { RISK_LIMITS } from '#lib/investment/risk/risk-limits.ts';
import { riskParts } from '#lib/investment/risk/risk-request.schema.ts';

/**
 * Returns the risk input of a portfolio of simulated positions, with all optional parts. Equal arguments give
 * equal inputs.
 */
export function simulatedRisk(positions: number, days: number): RiskInput {
  const dates = Array.from({ length: days + 1 }, (_, t) => dateOf(t));
  const market = series(0, days, 0.008);
  const held = Array.from({ length: positions }, (_, at): RiskPosition => {
    const own = series(at + 1, days, 0.015);
    return {
      symbol: `S${String(at).padStart(4, '0')}`,
      currency: 'USD',
      quantity: 100 + at,
      valueMinor: BigInt(1_000_000 + 1_000 * at),
      otherCurrency: null,
      prices: pricesOf(own.map((each, t) => each + market[t]!)),
      volumes: new Float64Array(21).fill(10_000),
    };
  });
  return {
    portfolio: 'prt_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    asOf: dates.at(-1)!,
    dates,
    positions: held,
    cash: [{ currency: 'USD', amountMinor: 5_000_000n }],
    realised: null,
    benchmark: { symbol: 'MARKET', prices: pricesOf(market) },
    factorModel: null,
    limits: RISK_LIMITS,
    options: {
      frequency: 'daily',
      window: Math.min(252, days),
      levels: [0.95, 0.99],
      basis: 'current_holdings',
      currency: null,
      include: riskParts,
    },
  };
}

function series(sample: number, days: number, deviation: number): Float64Array {
  const next = uniformStream({ seed: 1, domain: PHILOX_DOMAINS.normals, sample });
  return Float64Array.from({ length: days }, () => deviation * normalQuantile(next()));
}

function pricesOf(returns: Float64Array): Float64Array {
  const prices = new Float64Array(returns.length + 1).fill(100);
  for (const [t, each] of returns.entries()) prices[t + 1] = prices[t]! * (1 + each);
  return prices;
}

function dateOf(day: number): string {
  return new Date(Date.UTC(2016, 0, 1) + day * 86_400_000).toISOString().slice(0, 10);
}
