import { expect } from 'chai';
import { addDays } from '#lib/core/date.ts';
import { priceFigures, type PricePoint } from '#lib/investment/company/price-figures.ts';

const point = (day: string, close: number, volume: number | null = null): PricePoint => ({
  day,
  close,
  volume,
});
/** Returns price points with these closes on consecutive days. */
const daily = (first: string, closes: readonly number[]) =>
  closes.map((close, at) => point(addDays(first, at), close, at));

describe('the figures of a price history', () => {
  it('have returns from the close on the same day 1, 3 or 12 months earlier, or the last close before', () => {
    const points = [
      point('2019-08-30', 50),
      point('2020-05-29', 80),
      point('2020-07-31', 90),
      point('2020-08-31', 99),
    ];
    const { return1m, return3m, return12m } = priceFigures(points, 'daily');
    expect(return1m).to.be.closeTo(0.1, 1e-12);
    expect(return3m).to.be.closeTo(99 / 80 - 1, 1e-12);
    expect(return12m).to.be.closeTo(99 / 50 - 1, 1e-12);
  });

  it('have a return of null if there is no close on the earlier day or in the 10 days before that day', () => {
    for (const [first, expected] of [
      ['2020-07-21', 0.5],
      ['2020-07-20', null],
      ['2020-08-01', null],
    ] as const) {
      const { return1m } = priceFigures([point(first, 2), point('2020-08-31', 3)], 'daily');
      expect(return1m, first).to.equal(expected);
    }
  });

  it('have returns between month ends in a monthly series, for any last trading days', () => {
    const points = [
      point('2020-01-31', 4),
      point('2020-02-28', 5),
      point('2020-03-31', 6),
      point('2020-04-30', 8),
    ];
    const { return1m, return3m, return12m } = priceFigures(points, 'monthly');
    expect([return1m, return3m, return12m]).to.deep.equal([8 / 6 - 1, 1, null]);
    // One month before 31 March is 29 February. The point of February is dated 28 February and must be used.
    expect(priceFigures(points.slice(0, 3), 'monthly').return1m).to.be.closeTo(0.2, 1e-12);
  });

  it('have a volatility only from at least 20 daily or 6 monthly returns', () => {
    const ups = (count: number) => Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 100 : 110));
    expect(priceFigures(daily('2020-01-01', ups(20)), 'daily').volatility).to.equal(null);
    const { volatility, volatilityReturns } = priceFigures(daily('2020-01-01', ups(21)), 'daily');
    expect(volatilityReturns).to.equal(20);
    // Ten returns are 1/10 and ten are -1/11. Each squared deviation from their mean is (21/220)^2.
    expect(volatility).to.be.closeTo(Math.sqrt((20 / 19) * 252) * (21 / 220), 1e-12);
    const months = Array.from({ length: 7 }, (_, at) => point(`2020-0${at + 1}-28`, 2 ** at));
    expect(priceFigures(months, 'monthly').volatility).to.equal(0);
    expect(priceFigures(months.slice(1), 'monthly').volatility).to.equal(null);
  });

  it('do not change if all closes are multiplied, except the lowest and the highest close', () => {
    const closes = Array.from({ length: 300 }, (_, at) => 100 + ((at * 37) % 23));
    const one = priceFigures(daily('2020-01-01', closes), 'daily');
    const two = priceFigures(
      daily(
        '2020-01-01',
        closes.map((close) => close * 4),
      ),
      'daily',
    );
    expect({ ...two, low: 0, high: 0 }).to.deep.equal({ ...one, low: 0, high: 0 });
    expect([two.low.close, two.high.close]).to.deep.equal([one.low.close * 4, one.high.close * 4]);
  });

  it('have a volatility from the returns of the last 12 months only', () => {
    const points = daily('2018-12-01', [...Array<number>(200).fill(1), ...Array<number>(400).fill(5)]);
    const { volatility, volatilityReturns } = priceFigures(points, 'daily');
    expect([volatility, volatilityReturns]).to.deep.equal([0, 366]);
  });

  it('have the lowest and the highest close of the last 364 days, with the first day of each', () => {
    const points = [
      point('2019-09-01', 1),
      point('2019-09-02', 7),
      point('2020-01-01', 3),
      point('2020-02-01', 3),
      point('2020-08-31', 5),
    ];
    const { low, high } = priceFigures(points, 'daily');
    expect([low.day, high.day]).to.deep.equal(['2020-01-01', '2020-08-31']);
    const sooner = priceFigures([...points.slice(0, -1), point('2020-08-30', 5)], 'daily');
    expect(sooner.high.day).to.equal('2019-09-02');
  });

  it('have the median of the known volumes of the last 3 months, or null without a volume', () => {
    const points = [
      point('2020-05-30', 1, 1_000),
      point('2020-06-01', 1, 10),
      point('2020-07-01', 1),
      point('2020-08-30', 1, 40),
    ];
    expect(priceFigures(points, 'daily').medianVolume).to.equal(25);
    expect(priceFigures([point('2020-06-01', 1)], 'daily').medianVolume).to.equal(null);
  });

  it('cannot be computed without a close', () => {
    expect(() => priceFigures([], 'daily')).to.throw(RangeError);
  });
});
