import fc from 'fast-check';
import { expect } from 'chai';
import { dateOfDayNumber } from '#lib/core/date.ts';
import { laterPeriod, lastDayOfPeriod, periodsFrom } from '#lib/data/period-steps.ts';
import { periodFrequencies, periodName, readPeriod } from '#lib/data/period.ts';
import { frequenciesByLength, canCoarsen, coarsen } from '#lib/forecasting/series/coarsen.ts';
import { meanByPeriod, spacing } from '#lib/forecasting/series/economic-series.query.ts';
import { metricSource } from '#lib/forecasting/series/metric-name.ts';
import { newestPeriods, periodGrid, periodNames } from '#lib/forecasting/series/period-grid.ts';

const day = fc.integer({ min: -25_000, max: 40_000 }).map(dateOfDayNumber);
const frequency = fc.constantFrom(...periodFrequencies);

describe('the periods of a series', () => {
  it('are the same after conversion to names and back, for every frequency', () => {
    fc.assert(
      fc.property(frequency, day, fc.integer({ min: -200, max: 200 }), (every, of, count) => {
        const from = lastDayOfPeriod(every, of);
        const to = laterPeriod(every, from, count);
        expect(from >= of && lastDayOfPeriod(every, from) === from).to.equal(true);
        expect(periodsFrom(every, from, to)).to.equal(count);
        expect(laterPeriod(every, to, -count)).to.equal(from);
        expect(readPeriod(periodName({ frequency: every, lastDay: to }))).to.deep.equal({
          frequency: every,
          lastDay: to,
        });
      }),
    );
  });

  it('are null if they have no value and are between periods with a value', () => {
    const grid = periodGrid('monthly', [
      { lastDay: '2023-11-30', value: 1 },
      { lastDay: '2024-02-29', value: 2 },
    ])!;
    expect(grid).to.deep.equal({ frequency: 'monthly', first: '2023-11-30', values: [1, null, null, 2] });
    expect(newestPeriods(grid, 2)).to.deep.equal({
      frequency: 'monthly',
      first: '2024-01-31',
      values: [null, 2],
    });
    expect(newestPeriods(grid, 9)).to.deep.equal(grid);
    expect(periodGrid('weekly', [])).to.equal(undefined);
    expect(periodNames('quarterly', '2024-12-31', 2)).to.deep.equal(['2024-Q4', '2025-Q1']);
    expect(periodNames('weekly', '2021-01-03', 2)).to.deep.equal(['2020-W53', '2021-W01']);
  });

  it('are aggregated to a longer period only if all its shorter periods have values', () => {
    const months = [1, 2, 3, 4, 5].map((month) => ({
      lastDay: lastDayOfPeriod('monthly', `2024-0${month}-01`),
      value: month * 10,
    }));
    const quarters = (how: 'sum' | 'mean' | 'last') =>
      coarsen(months, { from: 'monthly', to: 'quarterly', how });
    expect(quarters('sum')).to.deep.equal([{ lastDay: '2024-03-31', value: 60 }]);
    expect(quarters('mean')).to.deep.equal([{ lastDay: '2024-03-31', value: 20 }]);
    expect(quarters('last')).to.deep.equal([{ lastDay: '2024-03-31', value: 30 }]);
    expect(coarsen(months, { from: 'monthly', to: 'yearly', how: 'sum' })).to.deep.equal([]);
    expect(coarsen(months, { from: 'monthly', to: 'monthly', how: 'sum' })).to.deep.equal(months);
    for (const from of frequenciesByLength) {
      for (const to of frequenciesByLength) {
        const can = frequenciesByLength.indexOf(from) <= frequenciesByLength.indexOf(to);
        expect(canCoarsen(from, to), `${from} to ${to}`).to.equal(can);
        if (!can) expect(() => coarsen(months, { from, to, how: 'sum' })).to.throw(RangeError);
      }
    }
  });

  it('have the frequency that follows from the distances between their dates if no frequency is declared', () => {
    const days = (...gaps: number[]) =>
      gaps.reduce((all, gap) => [...all, dateOfDayNumber(gap)], [] as string[]);
    const every = (gap: number) => spacing(days(...Array.from({ length: 9 }, (_, at) => 20_000 + at * gap)));
    const reported = [1, 7, 14, 30, 91, 182, 365].map(every);
    expect(reported).to.deep.equal([
      'daily',
      'weekly',
      'biweekly',
      'monthly',
      'quarterly',
      'semiannual',
      'yearly',
    ]);
    expect(spacing(['2024-01-01'])).to.equal('yearly');
  });

  it('become monthly or yearly means if they are observed every two weeks or half-yearly', () => {
    const fortnights = [5, 19, 33, 47].map((at) => ({ day: dateOfDayNumber(19_723 + at - 1), value: at }));
    expect(meanByPeriod('monthly', fortnights)).to.deep.equal([
      { lastDay: '2024-01-31', value: 12 },
      { lastDay: '2024-02-29', value: 40 },
    ]);
    const halves = ['2022-06-30', '2022-12-31', '2023-06-30'].map((day, at) => ({ day, value: at + 1 }));
    expect(meanByPeriod('yearly', halves)).to.deep.equal([{ lastDay: '2022-12-31', value: 1.5 }]);
    expect(meanByPeriod('yearly', [])).to.deep.equal([]);
  });
});

describe('the data source of a metric', () => {
  it('is derived from the name of the metric', () => {
    expect(metricSource('revenue')).to.deep.equal({ kind: 'company' });
    expect(metricSource('economics.M1.SA')).to.deep.equal({ kind: 'economics', series: 'M1.SA' });
    expect(metricSource('ledger.balance.EUR')).to.deep.equal({
      kind: 'ledger',
      measure: 'balance',
      currency: 'EUR',
    });
    for (const name of ['ledger.balance', 'ledger.total.EUR', 'economics', 'ledger.balance.EUR.x']) {
      expect(metricSource(name), name).to.deep.equal({ kind: 'company' });
    }
  });
});
