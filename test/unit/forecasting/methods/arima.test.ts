import { expect } from 'chai';
import { arimaAdjusted } from '#lib/forecasting/methods/arima/adjusted-arima.ts';
import { arima, formOf } from '#lib/forecasting/methods/arima/arima-method.ts';
import { differenced, estimate } from '#lib/forecasting/methods/arima/estimate.ts';
import { expectClose, golden, goldenSeries, type GoldenFit } from './golden.ts';

describe('arima', () => {
  for (const known of golden.fits)
    it(`finds the likelihood, forecasts and standard errors of R for ${formFor(known).name} of ${known.series}`, () => {
      const series = goldenSeries(known.series);
      const fit = arima.fit(series, formFor(known));
      expect(fit.logLikelihood!).to.be.closeTo(known.log_likelihood, 1e-9 * Math.abs(known.log_likelihood));
      const { point, standardErrors } = fit.forecast(18);
      expectClose(point, known.point, 1e-6);
      expectClose(standardErrors!, known.se, 2e-4);
    });

  for (const { series: name, order, aicc } of golden.automatic)
    it(`chooses the same orders as R for ${name}`, () => {
      const series = goldenSeries(name);
      const { p, d, q, P, D, Q, ...form } = arima.choose(series);
      const rest = order.length > 3 ? [P, D, Q, form.period] : [];
      expect([p, d, q, ...rest]).to.deep.equal(order);
      const orders = { p, d, q, P, D, Q, period: form.period, constant: form.constant };
      const found = estimate(differenced(series.values, orders), orders);
      expect(found.aicc).to.be.below(aicc + 0.01);
    });

  it('reports its coefficients by name, with the slope per period as drift', () => {
    const values = Float64Array.from({ length: 60 }, (_, t) => 3 * t + 10 * (t % 4) + ((t * 7) % 5) * 0.1);
    const form = formOf({ p: 1, d: 0, q: 1, P: 0, D: 1, Q: 0, period: 4, constant: true });
    expect(form.name).to.equal('ARIMA(1,0,1)(0,1,0)[4] with drift');
    const { parameters } = arima.fit({ values, period: 4 }, form);
    expect(Object.keys(parameters)).to.deep.equal(['ar1', 'ma1', 'drift', 'sigma']);
    expect(parameters.drift).to.be.closeTo(3, 0.05);
  });

  it('continues a straight line with standard errors of 0', () => {
    const series = { values: Float64Array.from({ length: 24 }, (_, t) => 100 - 2 * t), period: 1 };
    const form = arima.choose(series);
    expect(form.name).to.equal('ARIMA(0,1,0) with drift');
    const { point, standardErrors } = arima.fit(series, form).forecast(4);
    expectClose(point, [52, 50, 48, 46], 1e-12);
    standardErrors!.forEach((error) => expect(error).to.be.below(1e-9));
  });

  it('gives plausible forecasts even if an origin has too few values for the terms of the form', () => {
    const { values, period } = goldenSeries('AirPassengers');
    const form = formOf({ p: 2, d: 1, q: 2, P: 1, D: 1, Q: 1, period: 12, constant: false });
    for (const n of [3, 10, 14, 20, 25, 30, 40]) {
      const { point } = arima.fit({ values: values.slice(0, n), period }, form).forecast(6);
      point.forEach((value) => expect(value).to.be.within(50, 300));
    }
  });

  it('has standard errors that grow with the horizon', () => {
    const series = goldenSeries('USAccDeaths');
    const { standardErrors } = arima.fit(series, arima.choose(series)).forecast(24);
    standardErrors!.forEach((error, h) => expect(error).to.be.at.least(h ? standardErrors![h - 1]! : 0));
  });
});

describe('arimaAdjusted', () => {
  it('removes the season before the fit, and forecasts within 10 % of the seasonal model', () => {
    const series = goldenSeries('AirPassengers');
    const form = arimaAdjusted.choose(series);
    expect(form).to.include({ season: 'multiplicative', P: 0, D: 0, Q: 0, period: 1 });
    const adjusted = arimaAdjusted.fit(series, form).forecast(12).point;
    const seasonal = arima.fit(series, arima.choose(series)).forecast(12).point;
    expectClose(adjusted, [...seasonal], 0.1);
  });
});

function formFor({ series, order: [p, d, q], seasonal: [P, D, Q], constant }: GoldenFit) {
  return formOf({ p, d, q, P, D, Q, period: golden.series[series]!.period, constant });
}
