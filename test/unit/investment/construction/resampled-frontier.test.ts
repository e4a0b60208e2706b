import { expect } from 'chai';
import { prepareConstruction } from '#lib/investment/construction/construction.ts';
import { frontier } from '#lib/investment/construction/frontier.ts';
import { resampledFrontier, type Resampling } from '#lib/investment/construction/resampled-frontier.ts';
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
  progress: () => {},
};
const sum = (values: Float64Array) => values.reduce((total, each) => total + each, 0);

describe('a resampled frontier', () => {
  it('has weights within the limits that sum to 1, and lies nowhere above the frontier of the estimates', () => {
    const problem = problemOf({ constraints: { weight: { max: 0.5 } } });
    const [least, , , , most] = frontier(problem, 5);
    for (const { weights, volatility, expectedReturn, deviations } of resampledFrontier(problem, plan).points) {
      expect(sum(weights)).to.be.closeTo(1, 1e-9);
      expect(Math.min(...weights)).to.be.at.least(-1e-9);
      expect(Math.max(...weights)).to.be.at.most(0.5 + 1e-9);
      expect(volatility).to.be.at.least(least!.volatility - 1e-12);
      expect(expectedReturn).to.be.at.most(most!.expectedReturn + 1e-12);
      expect(Math.min(...deviations)).to.be.at.least(0);
    }
  });

  it('is the same for the same seed, and another one for another seed', () => {
    const problem = problemOf();
    const [one, same, other] = [plan, plan, { ...plan, seed: 8 }].map((each) =>
      resampledFrontier(problem, each),
    );
    expect(same).to.deep.equal(one);
    expect(other!.points[2]!.weights).to.not.deep.equal(one!.points[2]!.weights);
  });

  it('approaches the frontier of the estimates with the length of the drawn histories', () => {
    const problem = problemOf();
    const exact = frontier(problem, 5)[2]!.weights;
    const distance = (observations: number) => {
      const { weights } = resampledFrontier(problem, { ...plan, observations }).points[2]!;
      return Math.max(...weights.map((each, k) => Math.abs(each - exact[k]!)));
    };
    expect(distance(4_000)).to.be.below(distance(60) / 2);
  });

  it('reports its progress after each path, and counts paths that no weights satisfy', () => {
    const shares: number[] = [];
    const least = frontier(problemOf(), 2)[0]!.volatility;
    const tight = problemOf({ constraints: { volatility_max: least * 1.02 } });
    const { infeasible } = resampledFrontier(tight, { ...plan, progress: (share) => shares.push(share) });
    expect(shares).to.have.length(12);
    expect(shares.at(-1)).to.equal(1);
    expect(infeasible).to.be.within(1, 11);
  });

  it('ends if the report of its progress throws', () => {
    const cancelled = { ...plan, progress: () => { throw new Error('cancelled'); } };
    expect(() => resampledFrontier(problemOf(), cancelled)).to.throw('cancelled');
  });
});
