import { expect } from 'chai';
import { batchState, itemStates, type BatchCounts } from '#lib/forecasting/forecast-batch.ts';
import { forecastCsv } from '#lib/forecasting/forecast-csv.ts';
import { scoreForecast, type ScoredForecast } from '#lib/forecasting/forecast-score.ts';

const counts = (some: Partial<BatchCounts>): BatchCounts => ({
  ...(Object.fromEntries(itemStates.map((state) => [state, 0])) as BatchCounts),
  ...some,
});

describe('the state of a forecast batch', () => {
  const cases: [Partial<BatchCounts>, boolean, string, number][] = [
    [{ queued: 4 }, false, 'queued', 0],
    [{ queued: 3, refused: 1 }, false, 'queued', 0.25],
    [{ queued: 3, running: 1 }, false, 'running', 0],
    [{ queued: 2, succeeded: 1, failed: 1 }, false, 'running', 0.5],
    [{ running: 1, cancelled: 3 }, true, 'running', 0.75],
    [{ succeeded: 2, failed: 1, refused: 1 }, false, 'finished', 1],
    [{ refused: 4 }, false, 'finished', 1],
    [{ succeeded: 1, cancelled: 3 }, true, 'cancelled', 1],
  ];
  for (const [some, isCancelled, state, progress] of cases) {
    it(`is ${state}, with progress ${progress}, for ${JSON.stringify(some)}${isCancelled ? ' after cancellation' : ''}`, () => {
      expect(batchState(counts(some), isCancelled)).to.deep.equal({ state, progress });
    });
  }
});

describe('the score of a forecast', () => {
  const forecast: ScoredForecast = {
    result: {
      frequency: 'quarterly',
      periods: ['2025-Q1', '2025-Q2', '2025-Q3'],
      points: [10, 20, 30],
      intervals: [
        { level: 50, lower: [9, 19, 29], upper: [11, 21, 31] },
        { level: 95, lower: [5, 15, 25], upper: [15, 25, 35] },
      ],
    },
    history: [1, 2, null, 3, 5, 8].map((value, at) => ({ period: `2023-Q${at}`, value })),
  };

  it('uses only the periods with an actual value and equals numbers computed by hand', () => {
    const score = scoreForecast(
      forecast,
      new Map([
        ['2025-Q1', 12],
        ['2025-Q3', 30],
        ['2025-Q4', 99],
      ]),
    )!;
    expect(score).to.deep.include({ periods: 2, of: 3, lastPeriod: '2025-Q3', mae: 1 });
    expect(score.smape).to.be.closeTo((200 * 2) / 22 / 2, 1e-12);
    // MASE is scaled by the mean absolute change over a season of four values. The five known values have
    // only one such change, 8 - 1.
    expect(score.mase).to.be.closeTo(1 / 7, 1e-12);
    expect(score.coverage).to.deep.equal([
      { level: 50, inside: 1, of: 2, share: 50 },
      { level: 95, inside: 2, of: 2, share: 100 },
    ]);
  });

  it('has a MASE of null if the history is constant, and is undefined without an actual value', () => {
    expect(scoreForecast(forecast, new Map([['2024-Q4', 1]]))).to.equal(undefined);
    const constant = { ...forecast, history: forecast.history.map(({ period }) => ({ period, value: 4 })) };
    expect(scoreForecast(constant, new Map([['2025-Q1', 12]]))!.mase).to.equal(null);
  });

  it('does not appear in the CSV of the forecast, which has one row for each period', () => {
    expect(forecastCsv(forecast.result)).to.equal(
      'period,forecast,lower_50,upper_50,lower_95,upper_95\r\n' +
        '2025-Q1,10,9,11,5,15\r\n2025-Q2,20,19,21,15,25\r\n2025-Q3,30,29,31,25,35\r\n',
    );
  });
});
