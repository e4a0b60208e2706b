import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Matrix } from 'ml-matrix';
import { infer, type Observations } from '#lib/numerics/regime/hidden-markov.ts';
import { fitRegimes } from '#lib/numerics/regime/regime-em.ts';
import { selectRegimes } from '#lib/numerics/regime/regime-selection.ts';
import { REGIME_CUTS, startProbabilities } from '#lib/numerics/regime/regime-start.ts';
import { stationaryProbabilities } from '#lib/numerics/regime/stationary-probabilities.ts';
import { symmetricEigenvalues } from '#lib/numerics/symmetric-eigenvalues.ts';
import { isExhaustive } from '../../../support/repetitions.ts';

const returns = readFileSync(new URL('../../../golden/monthly_logret_10.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',').slice(1, 4).map(Number));
const observations: Observations = { rows: Float64Array.from(returns.flat()), dimensions: 3 };

describe('a fit of a regime model', () => {
  for (const regimes of [1, 2, 3]) {
    it(`with ${regimes} regimes never decreases the likelihood from one step to the next`, () => {
      const { trace } = fitRegimes(observations, startProbabilities(observations, REGIME_CUTS[regimes]!))!;
      for (let at = 1; at < trace.length; at += 1)
        expect(trace[at]! - trace[at - 1]!).to.be.at.least(-1e-9 * Math.abs(trace[at]!));
    });
  }

  it('gives filtered and smoothed regime probabilities that sum to 1 in every month', () => {
    const { inference } = fitRegimes(observations, startProbabilities(observations, [0.7]))!;
    for (const each of [inference.filtered, inference.smoothed])
      for (let t = 0; t < each.length; t += 2) expect(each[t]! + each[t + 1]!).to.be.closeTo(1, 1e-9);
  });

  it('has the same start for any unit of the returns, and a log-likelihood that differs only by the log of the unit', () => {
    const inPercent = { ...observations, rows: observations.rows.map((each) => each * 128) };
    const start = startProbabilities(observations, [0.7]);
    expect(startProbabilities(inPercent, [0.7])).to.deep.equal(start);
    const [one, other] = [fitRegimes(observations, start)!, fitRegimes(inPercent, start)!];
    const months = returns.length * 3 * Math.log(128);
    expect(other.inference.logLikelihood + months).to.be.closeTo(one.inference.logLikelihood, 1e-6);
  });

  it('is null if a factor does not vary', () => {
    const rows = observations.rows.map((each, at) => (at % 3 === 0 ? 0.01 : each));
    expect(fitRegimes({ rows, dimensions: 3 }, startProbabilities({ rows, dimensions: 3 }, [0.7]))).to.equal(
      null,
    );
    expect(selectRegimes({ rows, dimensions: 3 })).to.equal(null);
  });

  it('chooses the number of regimes with the lowest BIC, and orders regimes by ascending variance', () => {
    const some = { ...observations, rows: observations.rows.slice(0, isExhaustive ? undefined : 3 * 150) };
    const selection = selectRegimes(some)!;
    const best = [...selection.candidates].sort((one, other) => one.bic - other.bic)[0]!;
    expect(selection.chosen).to.deep.equal(best);
    const traces = selection.fit.model.covariances.map((each) => each.trace());
    expect(traces).to.deep.equal([...traces].sort((one, other) => one - other));
    expect(selectRegimes(some)).to.deep.equal(selection);
  });
});

describe('a Markov chain', () => {
  it('has stationary probabilities that one transition does not change', () => {
    const P = new Matrix([
      [0.9, 0.08, 0.02],
      [0.1, 0.8, 0.1],
      [0.3, 0.3, 0.4],
    ]);
    const p = stationaryProbabilities(P);
    const after = [0, 1, 2].map((k) => p[0]! * P.get(0, k) + p[1]! * P.get(1, k) + p[2]! * P.get(2, k));
    for (const [k, each] of after.entries()) expect(each).to.be.closeTo(p[k]!, 1e-15);
    expect(stationaryProbabilities(new Matrix([[1]]))).to.deep.equal(Float64Array.of(1));
  });
});

describe('the eigenvalues of a symmetric matrix', () => {
  it('are in ascending order and sum to the trace', () => {
    const values = symmetricEigenvalues(
      new Matrix([
        [2, 1, 0],
        [1, 3, 1],
        [0, 1, 4],
      ]),
    );
    expect([...values]).to.deep.equal([...values].sort((one, other) => one - other));
    expect(values[0]! + values[1]! + values[2]!).to.be.closeTo(9, 1e-13);
    const two = symmetricEigenvalues(
      new Matrix([
        [2, 1],
        [1, 2],
      ]),
    );
    expect([...two].map((each) => Math.round(each * 1e12) / 1e12)).to.deep.equal([1, 3]);
  });
});

describe('the inference of regimes', () => {
  it('is null for a covariance that is not positive definite', () => {
    const model = {
      initial: Float64Array.of(1),
      transitions: new Matrix([[1]]),
      means: [new Float64Array(3)],
      covariances: [new Matrix(3, 3)],
    };
    expect(infer(model, observations)).to.equal(null);
  });
});
