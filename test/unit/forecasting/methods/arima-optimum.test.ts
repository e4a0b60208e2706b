import { expect } from 'chai';
import { integrate, integrationWeights } from '#lib/forecasting/methods/arima/integration.ts';
import { leastSquares } from '#lib/forecasting/methods/arima/least-squares.ts';
import { polish } from '#lib/forecasting/methods/arima/newton.ts';
import { describeOrders, type ArimaOrders } from '#lib/forecasting/methods/arima/orders.ts';
import {
  freeOf,
  partialAutocorrelations,
  rootsBeyond,
  stationaryCoefficients,
} from '#lib/forecasting/methods/arima/partial-autocorrelations.ts';
import { solvePositive } from '#lib/forecasting/methods/solve-positive.ts';
import { expectClose } from './golden.ts';

describe('leastSquares', () => {
  const rosenbrock = (x: Float64Array, residuals: Float64Array): number => {
    residuals[0] = 10 * (x[1]! - x[0]! * x[0]!);
    residuals[1] = 1 - x[0]!;
    return residuals[0] ** 2 + residuals[1] ** 2;
  };
  const options = { residuals: 2, tolerance: 1e-14, iterations: 100 };

  it('finds the minimum of the Rosenbrock function', () => {
    const { x, value } = leastSquares(rosenbrock, Float64Array.of(-1.2, 1), options);
    expectClose(x, [1, 1], 1e-6);
    expect(value).to.be.below(1e-12);
  });

  it('returns the start if there are no parameters or the start is outside the domain', () => {
    expect(leastSquares(() => 3, new Float64Array(), options).value).to.equal(3);
    expect(leastSquares(() => Infinity, Float64Array.of(1), options)).to.deep.equal({
      x: Float64Array.of(1),
      value: Infinity,
    });
  });

  it('leaves a parameter unchanged that has no effect on the residuals', () => {
    const found = leastSquares(
      (x, residuals) => (residuals[0] = x[0]! - 4) ** 2 + (residuals[1] = 1),
      Float64Array.of(0, 7),
      options,
    );
    expectClose(found.x, [4, 7], 1e-6);
  });
});

describe('polish, the last step of an optimization', () => {
  it('moves a point near the minimum to the minimum', () => {
    const bowl = (x: Float64Array): number => (x[0]! - 2) ** 4 + (x[0]! - 2) ** 2 + (x[0]! + x[1]! - 3) ** 2;
    expectClose(polish(bowl, Float64Array.of(2.01, 0.98), 5), [2, 1], 1e-7);
  });

  it('returns the start unchanged near a saddle point', () => {
    const start = Float64Array.of(0.1, 0.1);
    expect(polish((x) => x[0]! * x[0]! - x[1]! * x[1]!, start, 5)).to.deep.equal(start);
  });
});

describe('solvePositive', () => {
  it('solves a linear system and rejects a matrix that is not positive definite', () => {
    const out = new Float64Array(2);
    expect(solvePositive(Float64Array.of(4, 2, 2, 3), 2, Float64Array.of(10, 8), out)).to.equal(true);
    expectClose(out, [1.75, 1.5], 1e-14);
    expect(solvePositive(Float64Array.of(1, 2, 2, 1), 2, Float64Array.of(1, 1), out)).to.equal(false);
  });
});

describe('stationaryCoefficients', () => {
  it('gives coefficients with the partial autocorrelations from which they were computed', () => {
    const partials = [0.6, -0.3, 0.9, -0.99];
    const out = new Float64Array(4);
    stationaryCoefficients(Float64Array.from(partials, freeOf), 0, 4, out, new Float64Array(4));
    expectClose(partialAutocorrelations(out)!, partials, 1e-12);
  });

  it('gives only stationary coefficients: other coefficients have no partial autocorrelations', () => {
    expect(partialAutocorrelations([1.3, -0.4])).to.not.equal(undefined);
    expect(partialAutocorrelations([1.3, -0.3])).to.equal(undefined);
    expect(partialAutocorrelations([0.5, 0.6])).to.equal(undefined);
  });

  it('can be checked for roots beyond a given distance from the origin', () => {
    expect(rootsBeyond([0.5], 1, 1.99)).to.equal(true);
    expect(rootsBeyond([0.5], 1, 2.01)).to.equal(false);
    expect(rootsBeyond([0.5], 12, 1.05)).to.equal(true);
    expect(rootsBeyond([0.5], 12, 1.06)).to.equal(false);
    expect(rootsBeyond([], 1, 1.01)).to.equal(true);
  });
});

describe('integrate and integrationWeights', () => {
  const orders: ArimaOrders = { p: 0, d: 1, q: 0, P: 0, D: 1, Q: 0, period: 2, constant: false };

  it('reverse ordinary and seasonal differences', () => {
    const whole = Float64Array.of(3, 1, 4, 1, 5, 9, 2, 6);
    const twice = (v: Float64Array, lag: number): Float64Array => v.slice(lag).map((x, t) => x - v[t]!);
    const w = twice(twice(whole, 2), 1);
    expectClose(integrate(whole.slice(0, 5), w.slice(2), orders), [9, 2, 6], 1e-14);
  });

  it('give the effect of a shock to the differenced series on each later value', () => {
    expect([...integrationWeights(orders, 6)]).to.deep.equal([1, 1, 2, 2, 3, 3]);
    expect([...integrationWeights({ ...orders, d: 2, D: 0 }, 4)]).to.deep.equal([1, 2, 3, 4]);
  });
});

describe('describeOrders', () => {
  it('names a model in the standard notation', () => {
    const orders: ArimaOrders = { p: 0, d: 1, q: 1, P: 1, D: 1, Q: 0, period: 12, constant: false };
    expect(describeOrders(orders)).to.equal('ARIMA(0,1,1)(1,1,0)[12]');
    const plain = { ...orders, P: 0, D: 0, period: 1, constant: true };
    expect(describeOrders(plain)).to.equal('ARIMA(0,1,1) with drift');
    expect(describeOrders({ ...plain, d: 0 })).to.equal('ARIMA(0,0,1) with mean');
  });
});
