import { expect } from 'chai';
import { naive } from '#lib/forecasting/methods/naive-methods.ts';
import { onMstl } from '#lib/forecasting/methods/stl/mstl-method.ts';
import { theta } from '#lib/forecasting/methods/theta.ts';
import { expectClose } from './golden.ts';

describe('onMstl', () => {
  const hour = (t: number): number => 10 * Math.abs((t % 24) - 12);
  const day = (t: number): number => 30 * (Math.floor(t / 24) % 7 > 4 ? -1 : 0.4);
  const hourly = Float64Array.from({ length: 24 * 7 * 5 }, (_, t) => 500 + hour(t) + day(t));

  it('continues a daily and a weekly season of hourly values', () => {
    const method = onMstl('mstl_naive', naive);
    const form = method.choose({ values: hourly, period: 24 });
    expect(form).to.include({ periods: '24,168', inner: 'naive', name: 'STL[24,168] naive' });
    const { point } = method.fit({ values: hourly, period: 24 }, form).forecast(168);
    const n = hourly.length;
    expectClose(
      point,
      Array.from({ length: 168 }, (_, h) => 500 + hour(n + h) + day(n + h)),
      0.01,
    );
  });

  it('continues a season on a linear trend, for any horizon', () => {
    const values = Float64Array.from({ length: 60 }, (_, t) => 2 * t + [5, -5, 1, -1][t % 4]!);
    const method = onMstl('mstl_theta', theta);
    const { point } = method.fit({ values, period: 4 }, method.choose({ values, period: 4 })).forecast(9);
    for (let h = 4; h < 9; h++) expect(point[h]! - point[h - 4]!).to.be.within(2, 8.1);
  });

  it('gives plausible forecasts if an origin has fewer than two cycles of a season', () => {
    const method = onMstl('mstl_naive', naive);
    const form = method.choose({ values: hourly, period: 24 });
    const { point } = method.fit({ values: hourly.slice(0, 24 * 8), period: 24 }, form).forecast(24);
    expect(point.every((value) => value > 400 && value < 700)).to.equal(true);
  });

  it('accepts only seasonal series that are longer than two seasonal cycles', () => {
    const { serves } = onMstl('mstl_naive', naive);
    expect(serves({ values: hourly, period: 1 })).to.equal(false);
    expect(serves({ values: hourly.slice(0, 48), period: 24 })).to.equal(false);
    expect(serves({ values: hourly.slice(0, 49), period: 24 })).to.equal(true);
  });
});
