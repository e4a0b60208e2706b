import { expect } from 'chai';
import { emptyCoefficients, expand, type Coefficients } from '#lib/forecasting/methods/arima/coefficients.ts';
import { conditionalSquares } from '#lib/forecasting/methods/arima/conditional.ts';
import { forecastArima } from '#lib/forecasting/methods/arima/forecast.ts';
import { exactLikelihood } from '#lib/forecasting/methods/arima/likelihood.ts';
import type { ArimaOrders } from '#lib/forecasting/methods/arima/orders.ts';
import { expectClose, golden, type GoldenLikelihood } from './golden.ts';

describe('exactLikelihood', () => {
  for (const known of golden.likelihoods)
    it(`equals the likelihood and variance of R for given parameters: ${known.series}`, () => {
      const { centred, coefficients } = given(known);
      const { logLikelihood, variance } = exactLikelihood(centred, coefficients, false).describe()!;
      expect(logLikelihood).to.be.closeTo(known.log_likelihood, 1e-9 * Math.abs(known.log_likelihood));
      expect(variance).to.be.closeTo(known.variance, 1e-9 * known.variance);
    });

  it('matches the textbook formula for an autoregression of order one', () => {
    const values = Float64Array.of(1, 0.4, -0.3, 0.9, 0.2);
    const phi = 0.6;
    const coefficients = emptyCoefficients({ ...none, p: 1 });
    coefficients.ar[0] = phi;
    expand(coefficients, 1);
    let squares = (1 - phi * phi) * values[0]! * values[0]!;
    for (let t = 1; t < 5; t++) squares += (values[t]! - phi * values[t - 1]!) ** 2;
    const expected = -2.5 * (Math.log((2 * Math.PI * squares) / 5) + 1) + 0.5 * Math.log(1 - phi * phi);
    const { logLikelihood } = exactLikelihood(values, coefficients, false).describe()!;
    expect(logLikelihood).to.be.closeTo(expected, 1e-12);
  });

  it('has a sum of squares S for which n log S changes by -2 times the change of the log-likelihood', () => {
    const known = golden.likelihoods.find(({ series }) => series === 'seasonal MA')!;
    const { centred, coefficients } = given(known);
    const likelihood = exactLikelihood(centred, coefficients, false);
    const room = new Float64Array(centred.length);
    const deviance = (): number => centred.length * Math.log(likelihood.squares(room));
    const before = { deviance: deviance(), logLikelihood: likelihood.describe()!.logLikelihood };
    coefficients.ma[0] = 0.3;
    expand(coefficients, known.period);
    const after = { deviance: deviance(), logLikelihood: likelihood.describe()!.logLikelihood };
    expect(after.deviance - before.deviance).to.be.closeTo(
      -2 * (after.logLikelihood - before.logLikelihood),
      1e-9,
    );
  });

  it('uses the constant that maximizes the likelihood', () => {
    const known = golden.likelihoods[0]!;
    const { coefficients } = given(known);
    const values = Float64Array.from(known.values);
    const best = exactLikelihood(values, coefficients, true).describe()!;
    for (const shift of [-0.01, 0.01]) {
      const moved = values.map((value) => value - best.constant - shift);
      expect(exactLikelihood(moved, coefficients, false).describe()!.logLikelihood).to.be.below(
        best.logLikelihood,
      );
    }
  });
});

describe('forecastArima', () => {
  for (const known of golden.likelihoods)
    it(`gives the points and standard errors of R for given parameters: ${known.series}`, () => {
      const { centred, coefficients, mean, orders } = given(known);
      const likelihood = exactLikelihood(centred, coefficients, false).describe()!;
      const estimate = { orders, x: new Float64Array(), coefficients, likelihood, aicc: 0 };
      const { point, standardErrors } = forecastArima(centred, estimate, known.point.length);
      expectClose(
        point.map((value) => value + mean),
        known.point,
        1e-9,
      );
      const n = centred.length;
      const free =
        coefficients.phiLags.length === 0 && coefficients.thetaLags.length === 0 ? 0 : count(orders);
      const toMaximumLikelihood = Math.sqrt((n - free) / n);
      expectClose(
        standardErrors!.map((error) => error * toMaximumLikelihood),
        known.se,
        1e-9,
      );
    });
});

describe('conditionalSquares', () => {
  it('is the sum of squared residuals, starting after the first p values', () => {
    const values = Float64Array.of(3, 1, 4, 1, 5);
    const coefficients = emptyCoefficients({ ...none, p: 1, q: 1 });
    coefficients.ar[0] = 0.5;
    coefficients.ma[0] = -0.2;
    expand(coefficients, 1);
    const residuals = new Float64Array(5);
    const sum = conditionalSquares(values, coefficients, false)(residuals);
    const expected = [0, 1 - 1.5];
    for (let t = 2; t < 5; t++) expected.push(values[t]! - 0.5 * values[t - 1]! + 0.2 * expected[t - 1]!);
    expectClose(residuals, expected, 1e-14);
    expect(sum).to.be.closeTo(
      expected.reduce((total, each) => total + each * each, 0),
      1e-12,
    );
  });
});

const none: ArimaOrders = { p: 0, d: 0, q: 0, P: 0, D: 0, Q: 0, period: 1, constant: false };

function count({ p, q, P, Q }: ArimaOrders): number {
  return p + q + P + Q;
}

function given(known: GoldenLikelihood): {
  centred: Float64Array;
  coefficients: Coefficients;
  mean: number;
  orders: ArimaOrders;
} {
  const [p, , q] = known.order;
  const [P, , Q] = known.seasonal;
  const orders = { ...none, p, q, P, Q, period: known.period };
  const coefficients = emptyCoefficients(orders);
  const { ar, ma, seasonalAr, seasonalMa } = coefficients;
  let next = 0;
  for (const part of [ar, ma, seasonalAr, seasonalMa])
    for (let i = 0; i < part.length; i++) part[i] = known.fixed[next++]!;
  expand(coefficients, known.period);
  const mean = known.mean ? known.fixed[next]! : 0;
  return { centred: Float64Array.from(known.values, (value) => value - mean), coefficients, mean, orders };
}
