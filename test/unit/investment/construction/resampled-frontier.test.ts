import { expect } from 'chai';
import { prepareConstruction } from '#lib/investment/construction/construction.ts';
import { frontier } from '#lib/investment/construction/frontier.ts';
import {
  blockSums,
  blocksOf,
  resampledFrontier,
  type Resampling,
} from '#lib/investment/construction/resampled-frontier.ts';
import type { AllocationProblem } from '#lib/investment/construction/allocation-problem.ts';
import type { ConstructionRequestBody } from '#lib/investment/construction/construction.schema.ts';
import { construction } from './sample-market.ts';

const problemOf = (request: ConstructionRequestBody = {}) =>
  prepareConstruction(construction({ returns: { kind: 'historical' }, ...request })).problem;
const plan: Resampling = {
  points: 5,
  paths: 12,
  observations: 60,
  estimator: { estimator: 'sample', halfLife: 15, periodsPerYear: 252 },
  seed: 7,
};

/** Computes a resampled frontier in parts of `count` blocks. */
function resampled(problem: AllocationProblem, change: Partial<Resampling> = {}, count = 100) {
  const whole = { ...plan, ...change };
  const parts: number[] = [];
  for (let first = 0; first < blocksOf(whole.paths); first += count) {
    const left = Math.min(count, blocksOf(whole.paths) - first);
    parts.push(...blockSums(problem, whole, { first, count: left, progress: () => {} }));
  }
  return resampledFrontier(problem, whole, Float64Array.from(parts));
}

const sum = (values: Float64Array) => values.reduce((total, each) => total + each, 0);

describe('a resampled frontier', () => {
  it('has weights that meet the limits and sum to 1, and lies nowhere above the frontier of the estimates', () => {
    const problem = problemOf({ constraints: { weight: { max: 0.5 } } });
    const [least, , , , most] = frontier(problem, 5);
    for (const { weights, volatility, expectedReturn, deviations } of resampled(problem).points) {
      expect(sum(weights)).to.be.closeTo(1, 1e-9);
      expect(Math.min(...weights)).to.be.at.least(-1e-9);
      expect(Math.max(...weights)).to.be.at.most(0.5 + 1e-9);
      expect(volatility).to.be.at.least(least!.volatility - 1e-12);
      expect(expectedReturn).to.be.at.most(most!.expectedReturn + 1e-12);
      expect(Math.min(...deviations)).to.be.at.least(0);
    }
  });

  it('is the same for the same seed, and different for another seed', () => {
    const problem = problemOf();
    const [one, same, other] = [7, 7, 8].map((seed) => resampled(problem, { seed }));
    expect(same).to.deep.equal(one);
    expect(other!.points[2]!.weights).to.not.deep.equal(one!.points[2]!.weights);
  });

  it('approaches the frontier of the estimates as the drawn histories become longer', () => {
    const problem = problemOf();
    const exact = frontier(problem, 5)[2]!.weights;
    const distance = (observations: number) => {
      const { weights } = resampled(problem, { observations }).points[2]!;
      return Math.max(...weights.map((each, k) => Math.abs(each - exact[k]!)));
    };
    expect(distance(4_000)).to.be.below(distance(60) / 2);
  });

  it('is the same to the bit in parts of any size', () => {
    const problem = problemOf({ constraints: { weight: { max: 0.6 } } });
    const whole = resampled(problem, { paths: 40, points: 3 });
    expect(resampled(problem, { paths: 40, points: 3 }, 1)).to.deep.equal(whole);
    expect(resampled(problem, { paths: 40, points: 3 }, 2)).to.deep.equal(whole);
  });

  it('counts paths on which no weights meet the limits, and is refused if this holds for every path', () => {
    const least = frontier(problemOf(), 2)[0]!.volatility;
    const within = (share: number) => problemOf({ constraints: { volatility_max: least * share } });
    expect(resampled(within(1.02)).infeasible).to.be.within(1, 11);
    expect(() => resampled(within(0.1))).to.throw('constraints_infeasible');
  });

  it('reports its progress after each path, and ends if the report throws', () => {
    const shares: number[] = [];
    const range = { first: 0, count: 1 };
    blockSums(problemOf(), plan, { ...range, progress: (share) => shares.push(share) });
    expect(shares).to.have.length(12);
    expect(shares.at(-1)).to.equal(1);
    const progress = () => {
      throw new Error('cancelled');
    };
    expect(() => blockSums(problemOf(), plan, { ...range, progress })).to.throw('cancelled');
  });
});
