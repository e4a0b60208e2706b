import { expect } from 'chai';
import { sharedBytes, textOfBars } from '#lib/data/price-bars.ts';
import { dataHash } from '#lib/quant/backtests/data-hash.ts';
import { priceTable } from '#lib/quant/strategies/price-table.ts';
import { sessionCalendar } from '#lib/quant/strategies/session-calendar.ts';
import type { StrategyAction } from '#lib/quant/strategies/strategy-data.ts';
import { dataOf, MONDAY, weekdaysFrom } from './strategy-fixture.ts';

const days = weekdaysFrom(MONDAY, 10);
const split = (t: number, ratio: number): StrategyAction => ({
  symbol: 'A',
  exDate: days[t]!,
  type: 'split',
  amount: null,
  ratio,
});
const dividend = (t: number, amount: number): StrategyAction => ({
  symbol: 'A',
  exDate: days[t]!,
  type: 'cash_dividend',
  amount,
  ratio: null,
});
const indexOf = (closes: readonly (number | null)[], actions: StrategyAction[], basis = 'quoted') => {
  const data = dataOf({ A: closes }, { actions });
  data.prices[0]!.basis = basis as 'quoted';
  return Array.from(priceTable(data, 'quoted').tables[0]!.columns.adj_close);
};

describe('the total return index of quoted prices', () => {
  it('does not change at a split', () => {
    expect(indexOf([100, 50, 51], [split(1, 2)])).to.deep.equal([100, 100, 102]);
  });

  it('adds a dividend on its ex-date', () => {
    expect(indexOf([100, 99, 99], [dividend(1, 1)])).to.deep.equal([100, 100, 100]);
  });

  it('pays the dividend for the shares after a split of the same day', () => {
    expect(indexOf([100, 49], [split(1, 2), dividend(1, 1)])).to.deep.equal([100, 100]);
  });

  it('applies an action of a day without a price at the next price', () => {
    expect(indexOf([100, null, null, 24], [split(1, 2), dividend(1, 2), split(2, 2)])).to.deep.equal([
      100, 100,
    ]);
  });

  it('ignores splits if the prices are already adjusted for splits', () => {
    expect(indexOf([50, 50], [split(1, 2)], 'split_adjusted')).to.deep.equal([50, 50]);
  });

  it('adds a dividend that exceeds the price in full', () => {
    expect(indexOf([10, 1], [dividend(1, 20)])).to.deep.equal([10, 21]);
  });

  it('does not depend on later actions and prices', () => {
    const before = indexOf([100, 50, 51, 60], [split(1, 2)]);
    const after = indexOf([100, 50, 51, 6], [split(1, 2), dividend(3, 5), split(3, 10)]);
    expect(after.slice(0, 3)).to.deep.equal(before.slice(0, 3));
  });
});

describe('the total return index of adjusted closes', () => {
  it('begins at the first close and does not depend on the level of the adjusted closes', () => {
    const data = dataOf({ A: [1, 1, 1] });
    const bars = (scale: number) =>
      [100, 110, 121].map((close, t) => `${days[t]} - - - ${close} ${close * scale} -`).join(',');
    const indexAt = (scale: number) => {
      const own = { ...data, prices: [{ ...data.prices[0]!, bars: bars(scale) }] };
      return Array.from(priceTable(own, 'automatic').tables[0]!.columns.adj_close);
    };
    expect(indexAt(0.5)).to.deep.equal([100, 110, 121]);
    expect(indexAt(0.25)).to.deep.equal(indexAt(0.5));
  });

  it('uses the close if there is no adjusted close, and treats prices that are not above 0 as missing', () => {
    const data = dataOf({ A: [1, 1, 1] });
    const bars = `${days[0]} - - - 100 - 10,${days[1]} -1 0 1 0 - -,${days[2]} - - - 50 - 4`;
    const table = priceTable({ ...data, prices: [{ ...data.prices[0]!, bars }] }, 'automatic').tables[0]!;
    expect(Array.from(table.columns.adj_close)).to.deep.equal([100, Number.NaN, 50]);
    expect([table.columns.open[1], table.columns.high[1], table.columns.low[1]]).to.deep.equal([
      Number.NaN,
      Number.NaN,
      1,
    ]);
    expect(Array.from(table.columns.dollar_volume)).to.deep.equal([1000, Number.NaN, 200]);
  });
});

describe('the characters of prices in shared memory', () => {
  it('give the same table and the same hash as their text', () => {
    const data = dataOf({ A: [1, null, 3], B: [2, 2.5, 2] });
    const shared = {
      ...data,
      prices: data.prices.map((each) => ({ ...each, bars: sharedBytes(textOfBars(each)) })),
    };
    expect(dataHash(shared)).to.equal(dataHash(data));
    const [one, other] = [data, shared].map((each) => priceTable(each, 'automatic'));
    expect(other).to.deep.equal(one);
    expect(one!.tables.map(({ columns }) => Array.from(columns.open))).to.deep.equal([
      [1, 3],
      [2, 2.5, 2],
    ]);
  });
});

describe('the mode of prices', () => {
  const modeOf = (actions: StrategyAction[], wish: 'automatic' | 'quoted' | 'total_return') =>
    priceTable(dataOf({ A: [1, 1] }, { actions }), wish).mode;

  it('is quoted by default if there is an action, and otherwise total return', () => {
    expect(modeOf([split(1, 2)], 'automatic')).to.equal('quoted');
    expect(modeOf([], 'automatic')).to.equal('total_return');
    expect(modeOf([split(1, 2)], 'total_return')).to.equal('total_return');
    expect(modeOf([], 'quoted')).to.equal('quoted');
  });
});

describe('the calendar of sessions', () => {
  it('leaves out days on which fewer than half of the symbols have a price', () => {
    const calendar = sessionCalendar([
      ['1', '2', '3'],
      ['1', '3'],
      ['1', '3'],
    ]);
    expect(calendar).to.deep.equal({ sessions: ['1', '3'], skipped: ['2'] });
  });

  it('keeps a day on which exactly half of the symbols have a price', () => {
    const { sessions } = sessionCalendar([
      ['1', '2', '3'],
      ['1', '3'],
    ]);
    expect(sessions).to.deep.equal(['1', '2', '3']);
  });

  it('counts a symbol from its first price until five observed days have passed without a price', () => {
    const long = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10'];
    const ended = ['01'];
    const { sessions, skipped } = sessionCalendar([long, ended, ended, ended, ['10']]);
    // Four symbols are counted on days 02 to 06, one on 07 to 09, and two on 10.
    expect(skipped).to.deep.equal(['02', '03', '04', '05', '06']);
    expect(sessions).to.deep.equal(['01', '07', '08', '09', '10']);
  });

  it('stays the same for earlier days if later prices are added', () => {
    const early = sessionCalendar([['1', '2'], ['1']]);
    const late = sessionCalendar([['1', '2', '3'], ['1', '3'], ['3'], ['3'], ['3']]);
    expect(late.sessions.slice(0, 2)).to.deep.equal(early.sessions);
  });
});
