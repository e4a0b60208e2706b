import fc from 'fast-check';
import type { AbsoluteTerm } from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import {
  portfolioPolyhedron,
  type PortfolioConstraints,
} from '#lib/numerics/optimisation/portfolio-polyhedron.ts';

export type Market = { size: number; covariance: Float64Array; means: Float64Array; previous: Float64Array };

/** Generates markets of 1 to 5 assets: covariances with equal entries, means near 0, weights with sum 1. */
export const markets: fc.Arbitrary<Market> = fc.integer({ min: 1, max: 5 }).chain((size) =>
  fc
    .record({
      loadings: fc.array(fc.array(fc.nat(8), { minLength: 2, maxLength: 2 }), {
        minLength: size,
        maxLength: size,
      }),
      own: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: size, maxLength: size }),
      means: fc.array(fc.nat(20), { minLength: size, maxLength: size }),
      parts: fc.array(fc.nat(4), { minLength: size, maxLength: size }),
    })
    .map(({ loadings, own, means, parts }) => {
      const covariance = new Float64Array(size * size);
      for (let i = 0; i < size; i += 1)
        for (let j = 0; j < size; j += 1) {
          const shared = loadings[i]![0]! * loadings[j]![0]! + loadings[i]![1]! * loadings[j]![1]!;
          covariance[i * size + j] = (shared + (i === j ? own[i]! : 0)) / 500;
        }
      const total = parts.reduce((sum, part) => sum + part, 0);
      return {
        size,
        covariance,
        means: Float64Array.from(means, (mean) => (mean - 5) / 100),
        previous: Float64Array.from(parts, (part) => (total === 0 ? 1 / size : part / total)),
      };
    }),
);

/** Returns the prepared constraints of a market: by default, weights from 0 to 1 with sum 1. */
export function preparedOf({ covariance, size }: Market, others: Partial<PortfolioConstraints> = {}) {
  const verdict = portfolioPolyhedron(covariance, {
    lower: new Float64Array(size),
    upper: new Float64Array(size).fill(1),
    budget: 1,
    ...others,
  });
  if (!verdict.ok) throw new Error(verdict.reason);
  return verdict.polyhedron;
}

/** Returns the sum of |weight - from| over the assets. */
export function distanceOf(weights: Float64Array, { from }: AbsoluteTerm): number {
  return weights.reduce((sum, weight, i) => sum + Math.abs(weight - from[i]!), 0);
}

/** Returns the dot product. */
export function dot(one: Float64Array, other: Float64Array): number {
  return one.reduce((sum, value, i) => sum + value * other[i]!, 0);
}
