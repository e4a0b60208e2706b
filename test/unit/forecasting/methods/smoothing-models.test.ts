import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { cesCoordinates, cesGradient, setCes } from '#lib/forecasting/methods/ces/ces-coordinates.ts';
import { cesRun, passCes, returnCes } from '#lib/forecasting/methods/ces/ces-run.ts';
import { estimateCes } from '#lib/forecasting/methods/ces/estimate-ces.ts';
import { forecastCes } from '#lib/forecasting/methods/ces/forecast-ces.ts';
import { addBarrierGradient, stabilityBarrier } from '#lib/forecasting/methods/ces/stability-barrier.ts';
import { fitDynamicTheta } from '#lib/forecasting/methods/dynamic-theta.ts';
import { coordinatesOf, gradientOf, setParameters } from '#lib/forecasting/methods/ets/coordinates.ts';
import { etsRun } from '#lib/forecasting/methods/ets/ets-run.ts';
import { isForecastable } from '#lib/forecasting/methods/ets/forecastable.ts';
import { propagateGradient, minusTwoLogLikelihood } from '#lib/forecasting/methods/ets/likelihood.ts';
import { nelderMead } from '#lib/forecasting/methods/nelder-mead.ts';

const file = new URL('../../../golden/forecasting/smoothing.json', import.meta.url);
const { cases }: { cases: { name: string; period: number; values: number[] }[] } = JSON.parse(
  readFileSync(file, 'utf8'),
);
const wave = Float64Array.from({ length: 40 }, (_, t) => 10 + 0.1 * t + (t % 4) + ((t * 37) % 11) / 10);

/**
 * Returns the largest difference between a gradient and its approximation by central differences, relative to
 * the size of the gradient.
 */
const distanceFromDifferences = (x: Float64Array, value: () => number, gradient: Float64Array): number => {
  const width = 1e-6;
  return Math.max(
    ...gradient.map((own, i) => {
      const at = x[i]!;
      x[i] = at + width;
      const above = value();
      x[i] = at - width;
      const below = value();
      x[i] = at;
      return Math.abs((above - below) / (2 * width) - own) / (1 + Math.abs(own));
    }),
  );
};

describe('exponential smoothing models', () => {
  for (const error of ['A', 'M'] as const)
    for (const trend of ['N', 'A', 'Ad'] as const)
      for (const season of ['N', 'A', 'M'] as const)
        it(`ETS(${error},${trend},${season}): have a gradient of the likelihood that equals central differences`, () => {
          const form = { name: 'ets', error, trend, season };
          const run = etsRun(wave, form, 4);
          const at = coordinatesOf(form, 4);
          const x = new Float64Array(at.size).fill(season === 'M' ? 1.05 : 0.1);
          x.set([0.3]);
          if (at.beta >= 0) x[at.beta] = 0.2;
          if (at.phi >= 0) x[at.phi] = 0.9;
          if (at.gamma >= 0) x[at.gamma] = 0.3;
          x[at.level] = 9.8;
          const value = (): number => {
            setParameters(run, at, x);
            return minusTwoLogLikelihood(run, form);
          };
          value();
          propagateGradient(run, form);
          const gradient = new Float64Array(at.size);
          gradientOf(run, at, x, gradient);
          expect(distanceFromDifferences(x, value, gradient)).to.be.below(1e-6);
        });
});

describe('isForecastable', () => {
  const from = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const small = from(0.01, 0.99);
  /**
   * Ranges of parameters. Without a trend, the effect of the initial state vanishes if alpha + gamma is at
   * most 1, and grows if alpha + gamma is above 2. The second range is below 1 and the third above 2, so that
   * both outcomes occur often enough for any draws from the first range.
   */
  const regions = [
    { alpha: from(0.01, 1.99), gamma: small, hasTrend: fc.boolean(), numRuns: 400 },
    { alpha: from(0.2, 0.5), gamma: from(0.2, 0.5), hasTrend: fc.constant(false), numRuns: 40 },
    { alpha: from(1.5, 1.99), gamma: from(0.7, 0.99), hasTrend: fc.constant(false), numRuns: 40 },
  ];

  /**
   * Forecasts a series of zeros from states that are not 0. Returns the size of the forecasts after 3,000
   * periods.
   */
  const leftover = (run: ReturnType<typeof etsRun>): number => {
    let [level, slope] = [1, run.beta > 0 ? 0.3 : 0];
    const seasons = Array.from({ length: run.period }, (_, place) => Math.sin(1.7 * place + 1));
    let largest = 0;
    for (let t = 0; t < 3000; t += 1) {
      const trend = level + run.phi * slope;
      const forecast = trend + seasons[t % run.period]!;
      level = trend - run.alpha * forecast;
      slope = run.phi * slope - run.beta * forecast;
      seasons[t % run.period]! -= run.gamma * forecast;
      if (Math.abs(forecast) > 1e12) return Infinity;
      if (t >= 2900) largest = Math.max(largest, Math.abs(forecast));
    }
    return largest;
  };

  it('determines whether the effect of the initial state on forecasts vanishes', () => {
    const seen = { yes: 0, no: 0 };
    for (const { numRuns, ...of } of regions) {
      const given = fc.record({ ...of, share: small, phi: small, period: fc.constantFrom(2, 4, 7, 12) });
      fc.assert(
        fc.property(given, ({ alpha, share, gamma, phi, period, hasTrend }) => {
          const trend = hasTrend ? 'Ad' : 'N';
          const run = etsRun(wave, { name: 'ets', error: 'A', trend, season: 'A' }, period);
          Object.assign(run, { alpha, beta: hasTrend ? share * alpha : 0, gamma, phi });
          const left = leftover(run);
          // If the effect neither vanished nor grew within 3,000 periods, the case is too close to the
          // boundary.
          fc.pre(left < 1e-9 || left > 1e9);
          seen[left < 1 ? 'yes' : 'no'] += 1;
          expect(isForecastable(run, hasTrend)).to.equal(left < 1);
        }),
        { numRuns },
      );
    }
    expect(Math.min(seen.yes, seen.no)).to.be.greaterThan(30);
  });
});

describe('complex exponential smoothing', () => {
  for (const kind of ['none', 'simple', 'partial', 'full'] as const)
    it(`has a gradient, of the squares and of the stability barrier, that equals central differences for the season ${kind}`, () => {
      const run = cesRun(wave, kind, 4);
      const at = cesCoordinates(kind, 4);
      const x = new Float64Array(at.size).fill(0.3);
      if (at.a >= 0) x.set([1.2, 0.98], at.a);
      if (at.b >= 0) x.set(kind === 'partial' ? [0.2] : [1.1, 1.01], at.b);
      const value = (): number => {
        setCes(run, at, x);
        return passCes(run) + 3 * stabilityBarrier(run);
      };
      value();
      returnCes(run, 2);
      const gradient = new Float64Array(at.size);
      cesGradient(run, at, gradient);
      addBarrierGradient(run, at, 3, gradient);
      expect(distanceFromDifferences(x, value, gradient)).to.be.below(1e-6);
    });

  it('equals simple exponential smoothing if the imaginary part of the parameter is 1', () => {
    const ces = Object.assign(cesRun(wave, 'none', 1), { a0: 1.3, a1: 1, level: 9, hidden: 123 });
    passCes(ces);
    let level = 9;
    for (const [t, value] of wave.entries()) {
      expect(ces.errors[t]).to.be.closeTo(value - level, 1e-12);
      level += 0.3 * (value - level);
    }
  });

  it('has forecast variances that grow with each period by the squared response to a unit error', () => {
    const estimate = estimateCes(wave, 4, 'full');
    const { standardErrors } = forecastCes(estimate, 10);
    const before = forecastCes(estimate, 11).point;
    // The added value is 1 above its forecast. Its effect on the later forecasts is the response to a unit
    // error.
    const longer = cesRun(Float64Array.of(...wave, before[0]! + 1), 'full', 4);
    Object.assign(longer, {
      a0: estimate.run.a0,
      a1: estimate.run.a1,
      b0: estimate.run.b0,
      b1: estimate.run.b1,
    });
    Object.assign(longer, { level: estimate.run.level, hidden: estimate.run.hidden });
    longer.seasons.set(estimate.run.seasons.subarray(0, 4));
    longer.hiddenSeasons.set(estimate.run.hiddenSeasons.subarray(0, 4));
    passCes(longer);
    const after = forecastCes({ ...estimate, run: longer }, 10).point;
    let sum = 1;
    for (let h = 0; h < 10; h += 1) {
      expect((standardErrors![h]! / standardErrors![0]!) ** 2).to.be.closeTo(sum, 1e-6 * sum);
      sum += (after[h]! - before[h + 1]!) ** 2;
    }
  });
});

describe('the dynamic optimised Theta model', () => {
  /**
   * Returns the sum of squared errors of the recursion in the paper, without the error of the first value.
   */
  const squares = (y: readonly number[], level0: number, alpha: number, theta: number): number => {
    let [level, A, B, mean, sum] = [level0, 0, 0, 0, 0];
    for (let t = 1; t <= y.length; t += 1) {
      const value = y[t - 1]!;
      const line = (1 - alpha) ** (t - 1) * A + ((1 - (1 - alpha) ** t) / alpha) * B;
      const mu = level + (1 - 1 / theta) * line;
      if (t > 1) sum += (value - mu) ** 2;
      level = alpha * value + (1 - alpha) * level;
      B = t === 1 ? 0 : ((t - 2) * B + (6 * (value - mean)) / t) / (t + 1);
      mean = ((t - 1) * mean + value) / t;
      A = mean - ((t + 1) / 2) * B;
    }
    return sum;
  };

  for (const { name, values } of cases)
    it(`${name}: has a sum of squares at most as large as the result of a search over all three parameters`, () => {
      const { alpha, level, theta } = fitDynamicTheta(Float64Array.from(values), 0).parameters;
      const own = squares(values, level!, alpha!, theta!);
      const { value } = nelderMead((x) => squares(values, x[0]!, x[1]!, x[2]!), [values[0]! / 2, 0.5, 2], {
        lower: [-Infinity, 0.1, 1],
        upper: [Infinity, 0.99, 1e10],
        tolerance: 1e-12,
        iterations: 2000,
      });
      expect(own).to.be.at.most(value * (1 + 1e-6));
    });

  it('continues a straight line without noise', () => {
    const { point } = fitDynamicTheta(
      Float64Array.from({ length: 30 }, (_, t) => 5 + 2 * t),
      0,
    ).forecast(5);
    for (let h = 0; h < 5; h += 1) expect(point[h]).to.be.closeTo(65 + 2 * h, 0.05);
  });
});
