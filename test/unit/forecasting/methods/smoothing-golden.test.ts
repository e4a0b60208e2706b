import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { autocorrelations } from '#lib/forecasting/methods/seasonality-test.ts';
import { estimateEts } from '#lib/forecasting/methods/ets/estimate-ets.ts';
import type { EtsForm } from '#lib/forecasting/methods/ets/ets-form.ts';
import { chooseEts, corrected } from '#lib/forecasting/methods/ets/choose-ets.ts';
import { etsRun, type EtsRun } from '#lib/forecasting/methods/ets/ets-run.ts';
import { forecastEts } from '#lib/forecasting/methods/ets/forecast-ets.ts';
import { minusTwoLogLikelihood } from '#lib/forecasting/methods/ets/likelihood.ts';
import { guerreroLambda } from '#lib/forecasting/methods/guerrero.ts';
import type { Fit } from '#lib/forecasting/methods/method.ts';
import { naive, seasonalNaive } from '#lib/forecasting/methods/naive-methods.ts';
import { randomWalk } from '#lib/forecasting/methods/random-walk.ts';
import { seasonalIndices } from '#lib/forecasting/methods/classical-decomposition.ts';
import { ses } from '#lib/forecasting/methods/trend-methods.ts';
import { fitTheta } from '#lib/forecasting/methods/theta.ts';
import { adjustSeason, chooseSeason, restoreSeason } from '#lib/forecasting/methods/seasonal-adjustment.ts';
import { scaleToUnit } from '#lib/forecasting/methods/unit-scale.ts';

type Ahead = { point: number[]; errors?: number[] };
type FormCase = Ahead & {
  error: EtsForm['error'];
  trend: EtsForm['trend'];
  season: EtsForm['season'];
  par: Partial<Record<'alpha' | 'beta' | 'gamma' | 'phi', number>>;
  states: Record<string, number>;
  logLikelihood: number;
};
type Case = {
  name: string;
  period: number;
  values: number[];
  horizon: number;
  lambda: number;
  autocorrelations: number[];
  naive: Ahead;
  drift: Ahead;
  snaive?: Ahead;
  ses: { alpha: number; logLikelihood: number };
  theta: number[];
  forms: FormCase[];
  chosen: number;
  additive?: number[];
  multiplicative?: number[];
};

const file = new URL('../../../golden/forecasting/smoothing.json', import.meta.url);
const { cases }: { cases: Case[] } = JSON.parse(readFileSync(file, 'utf8'));

const expectNear = (actual: ArrayLike<number>, expected: ArrayLike<number>, relative: number): void => {
  expect(actual.length).to.equal(expected.length);
  for (let at = 0; at < expected.length; at += 1)
    expect(actual[at], `at ${at}`).to.be.closeTo(
      expected[at]!,
      relative * Math.max(1e-3, Math.abs(expected[at]!)),
    );
};

/** Returns a run with the parameters of R. The initial seasonal states are in chronological order. */
const runAt = (y: Float64Array, period: number, form: EtsForm, { par, states }: FormCase): EtsRun => {
  const run = etsRun(y, form, period);
  run.alpha = par.alpha!;
  run.beta = par.beta ?? 0;
  run.gamma = par.gamma ?? 0;
  run.phi = par.phi ?? 1;
  run.level = states.l!;
  run.slope = states.b ?? 0;
  for (let place = 0; place < run.period; place += 1) run.seasons[place] = states[`s${period - place}`]!;
  return run;
};

describe('exponential smoothing compared with R, for the public series', () => {
  for (const golden of cases) {
    const { name, period, horizon } = golden;
    const values = Float64Array.from(golden.values);
    const series = { values, period };

    it(`${name}: has the autocorrelations, seasonal indices and Box-Cox lambda of R`, () => {
      const lags = golden.autocorrelations.length - 1;
      expectNear(autocorrelations(values, lags)!, golden.autocorrelations, 1e-11);
      if (golden.additive) expectNear(seasonalIndices(values, period, 'additive')!, golden.additive, 1e-11);
      if (golden.multiplicative)
        expectNear(seasonalIndices(values, period, 'multiplicative')!, golden.multiplicative, 1e-11);
      // R searches for lambda by Brent's method with a tolerance of 1e-4, so R never returns an end of the
      // interval.
      expect(guerreroLambda(values, period)).to.be.closeTo(golden.lambda, 1.2e-3);
    });

    it(`${name}: has the naive, seasonal naive and drift forecasts and standard errors of R`, () => {
      const walks: [Fit, Ahead][] = [
        [naive.fit(series, naive.choose(series)), golden.naive],
        [randomWalk(values, true), golden.drift],
      ];
      if (golden.snaive) walks.push([seasonalNaive.fit(series, seasonalNaive.choose(series)), golden.snaive]);
      for (const [fit, expected] of walks) {
        const { point, standardErrors } = fit.forecast(horizon);
        expectNear(point, expected.point, 1e-12);
        expectNear(standardErrors!, expected.errors!, 1e-9);
      }
    });

    for (const own of golden.forms) {
      const form: EtsForm = { name: 'ets', error: own.error, trend: own.trend, season: own.season };
      const title = `ETS(${own.error},${own.trend},${own.season})`;

      it(`${name}: ${title} has the likelihood, forecasts and standard errors of R for the parameters of R`, () => {
        const run = runAt(values, period, form, own);
        const objective = minusTwoLogLikelihood(run, form);
        // The likelihood of relative errors contains the logarithm of each forecast, which must be positive.
        // For a negative forecast, R takes the absolute value, and the objective of this code is infinite.
        if (own.error === 'M' && run.errors.some((error, t) => values[t]! - error <= 0)) {
          expect(objective).to.equal(Infinity);
          return;
        }
        expect(-0.5 * objective).to.be.closeTo(own.logLikelihood, 1e-9 * Math.abs(own.logLikelihood));
        // The forecasts of two cases are not compared. With an additive error and a multiplicative season, R
        // simulates the forecasts. In ETS(M,Ad,M), R omits phi in the first forecast period.
        if (!own.errors || (own.error === 'M' && own.trend === 'Ad' && own.season === 'M')) return;
        const { point, standardErrors } = forecastEts({ form, run, objective }, horizon);
        expectNear(point, own.point, 1e-9);
        // In ETS(.,N,A), R adds the seasonal effect of an error one period too early, so R's standard errors
        // are wrong at horizons that are multiples of the period. With multiplicative errors, R's standard
        // errors are wrong at all later horizons too.
        const isEarly = own.trend === 'N' && own.season === 'A';
        const isKept = (h: number): boolean =>
          !isEarly || (own.error === 'A' ? (h + 1) % period !== 0 : h + 1 < period);
        expectNear(
          standardErrors!.filter((_, h) => isKept(h)),
          own.errors.filter((_, h) => isKept(h)),
          1e-8,
        );
      });

      // Because of the prior on the trend, models with a trend do not reach the maximum of the likelihood.
      if (own.trend === 'N')
        it(`${name}: ${title} finds a likelihood at least as great as the likelihood that R finds`, () => {
          const scaled = scaleToUnit(values);
          const { objective } = estimateEts(scaled.values, period, form);
          const logLikelihood = -0.5 * objective - values.length * Math.log(scaled.unit);
          expect(logLikelihood).to.be.at.least(own.logLikelihood - 1e-4);
        });
    }

    it(`${name}: chooses by AICc, despite the prior, a form whose AICc exceeds the AICc of R by at most 3`, () => {
      const scaled = scaleToUnit(values);
      const form = chooseEts({ values: scaled.values, period });
      const criterion = corrected(estimateEts(scaled.values, period, form), {
        values: scaled.values,
        period,
      });
      expect(criterion + 2 * values.length * Math.log(scaled.unit)).to.be.at.most(golden.chosen + 3);
    });

    it(`${name}: has the alpha of R for simple smoothing and the forecasts of R for Theta`, () => {
      const plain = { name: 'ses', season: 'none', lambda: null } as const;
      const fit = ses.fit(series, plain);
      expect(fit.parameters['alpha']).to.be.closeTo(golden.ses.alpha, 2e-3);
      // As in R, the season is removed with indices that are not shrunk. The tolerance is 1e-3, because R determines
      // alpha to about three digits.
      const adjusted = adjustSeason(series, chooseSeason(series));
      const { point } = restoreSeason(adjusted, fitTheta(adjusted.values).forecast(horizon));
      expectNear(point.subarray(0, golden.theta.length), golden.theta, 1e-3);
    });
  }
});
