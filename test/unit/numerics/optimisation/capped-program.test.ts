import { expect } from 'chai';
import fc from 'fast-check';
import { cappedProgram } from '#lib/numerics/optimisation/capped-program.ts';
import { maximumSharpe } from '#lib/numerics/optimisation/maximum-sharpe.ts';
import { varianceOf } from '#lib/numerics/optimisation/portfolio-program.ts';
import { dot, markets, preparedOf } from './portfolio-cases.ts';

const parts = fc.array(fc.nat(9), { minLength: 5, maxLength: 5 });

function weightsFrom(numbers: readonly number[], size: number): Float64Array {
  const total = numbers.slice(0, size).reduce((sum, each) => sum + each + 1, 0);
  return Float64Array.from({ length: size }, (_, i) => (numbers[i]! + 1) / total);
}

describe('cappedProgram', () => {
  it('gives the largest expected return of all weights within a maximum tracking error', () => {
    fc.assert(
      fc.property(markets, parts, fc.nat(20), (market, numbers, percent) => {
        const cap = { reference: market.previous, max: percent / 200 };
        const linear = market.means.map((mean) => -mean);
        const verdict = cappedProgram(preparedOf(market), { risk: 0, linear, costWeight: 0 }, [cap]);
        if (!verdict.ok) throw new Error(verdict.reason);
        const { weights, caps } = verdict.solution;
        expect(caps[0]!.volatility).to.be.at.most(cap.max * (1 + 1e-9) + 1e-9);
        expect(caps[0]!.multiplier).to.be.at.least(0);
        const other = weightsFrom(numbers, market.size);
        const difference = other.map((weight, i) => weight - cap.reference[i]!);
        const distance = Math.sqrt(varianceOf(market.covariance, difference));
        // Moves the other weights towards the benchmark until they are within the maximum.
        const share = distance > cap.max ? cap.max / distance : 1;
        const inside = difference.map((each, i) => cap.reference[i]! + share * each);
        expect(dot(market.means, weights)).to.be.at.least(dot(market.means, inside) - 1e-8);
      }),
    );
  });

  it('meets two maxima at once, or reports which maximum cannot be met', () => {
    fc.assert(
      fc.property(markets, fc.nat(30), fc.nat(30), (market, one, other) => {
        const caps = [
          { reference: new Float64Array(market.size), max: one / 60 },
          { reference: market.previous, max: other / 60 },
        ];
        const linear = market.means.map((mean) => -mean);
        const verdict = cappedProgram(preparedOf(market), { risk: 0.5, linear, costWeight: 0 }, caps);
        if (verdict.ok) {
          verdict.solution.caps.forEach(({ volatility }, k) =>
            expect(volatility).to.be.at.most(caps[k]!.max * (1 + 1e-9) + 1e-9),
          );
        } else {
          expect(verdict.reason).to.equal('cap_infeasible');
          if (verdict.reason === 'cap_infeasible')
            expect(verdict.smallest).to.be.above(caps[verdict.cap]!.max);
        }
      }),
    );
  });

  it('gives a multiplier of 0 to a maximum that does not bind', () => {
    const market = fc.sample(markets, { numRuns: 20, seed: 1 }).find(({ size }) => size === 4)!;
    const objective = { risk: 1, linear: new Float64Array(4), costWeight: 0 };
    const verdict = cappedProgram(preparedOf(market), objective, [{ reference: market.previous, max: 9 }]);
    expect(verdict.ok && verdict.solution.caps[0]!.multiplier).to.equal(0);
  });

  it('throws on a negative maximum', () => {
    const market = fc.sample(markets, { numRuns: 1, seed: 1 })[0]!;
    const objective = { risk: 1, linear: new Float64Array(market.size), costWeight: 0 };
    expect(() =>
      cappedProgram(preparedOf(market), objective, [{ reference: market.previous, max: -1 }]),
    ).to.throw(RangeError);
  });
});

describe('maximumSharpe', () => {
  it('gives the largest Sharpe ratio of all weights, or reports that no weights have an excess return', () => {
    fc.assert(
      fc.property(markets, parts, (market, numbers) => {
        const verdict = maximumSharpe(preparedOf(market), { means: market.means, riskFree: 0.01 });
        const other = weightsFrom(numbers, market.size);
        const excess = dot(market.means, other) - 0.01;
        if (!verdict.ok) {
          expect(verdict.reason).to.equal('no_excess_return');
          expect(Math.max(...market.means)).to.be.at.most(0.01 + 1e-9);
          return;
        }
        const { sharpe, weights } = verdict.solution;
        expect(weights.reduce((sum, weight) => sum + weight, 0)).to.be.closeTo(1, 1e-12);
        expect(sharpe).to.be.at.least(excess / Math.sqrt(varianceOf(market.covariance, other)) - 1e-9);
      }),
    );
  });

  it('gives the tangency portfolio if no bound binds', () => {
    const covariance = Float64Array.of(0.04, 0.006, 0.006, 0.09);
    const market = { size: 2, covariance, means: Float64Array.of(0.08, 0.12), previous: new Float64Array(2) };
    const verdict = maximumSharpe(preparedOf(market), { means: market.means, riskFree: 0.02 });
    // The inverse covariance times the excess returns (0.06, 0.1) is proportional to (0.0048, 0.00364).
    expect(verdict.ok && verdict.solution.weights[0]).to.be.closeTo(0.0048 / 0.00844, 1e-13);
  });

  it('meets a maximum tracking error that the weights with the largest ratio would exceed', () => {
    const covariance = Float64Array.of(0.04, 0.006, 0.006, 0.09);
    const market = { size: 2, covariance, means: Float64Array.of(0.08, 0.12), previous: new Float64Array(2) };
    const caps = [{ reference: Float64Array.of(1, 0), max: 0.05 }];
    const verdict = maximumSharpe(preparedOf(market), { means: market.means, riskFree: 0.02, caps });
    expect(verdict.ok && verdict.solution.caps[0]!.volatility).to.be.closeTo(0.05, 1e-12);
  });

  it('reports no excess return if all expected returns are below the risk-free rate', () => {
    const market = {
      size: 1,
      covariance: Float64Array.of(1),
      means: Float64Array.of(0.01),
      previous: new Float64Array(1),
    };
    const verdict = maximumSharpe(preparedOf(market), { means: market.means, riskFree: 0.02 });
    expect(verdict).to.deep.equal({ ok: false, reason: 'no_excess_return', largest: -0.01 });
  });
});
