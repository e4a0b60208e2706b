import { expect } from 'chai';
import { adjustmentSteps, factorsOn, scaled, type EffectiveAction } from '#lib/data/adjustment.ts';
import { marketLines } from '../../support/market.ts';

const dividend = (exDate: string, amount: string, closeBefore: string | null): EffectiveAction => ({
  exDate,
  type: 'cash_dividend',
  amount,
  ratio: null,
  closeBefore,
});
const split = (exDate: string, ratio: string): EffectiveAction => ({
  exDate,
  type: 'split',
  amount: null,
  ratio,
  closeBefore: null,
});

describe('adjustment factors', () => {
  const rows = marketLines('prices_daily')
    .slice(1)
    .map((line) => line.split(','))
    .map(([, day, , , , close, adjusted]) => ({ day: day!, close: close!, adjusted: adjusted! }));
  const closeBefore = (exDate: string) => rows.findLast(({ day }) => day < exDate)?.close ?? null;
  const actions: EffectiveAction[] = marketLines('corporate_actions')
    .slice(1)
    .map((line) => line.split(','))
    .filter(([, exDate]) => exDate !== '')
    .map(([, exDate, type, amount, ratio]) => ({
      exDate: exDate!,
      type: type as EffectiveAction['type'],
      amount: amount || null,
      ratio: ratio || null,
      closeBefore: closeBefore(exDate!),
    }));

  // The file rounds prices to 6 digits and dividends to 4 decimals. A relative tolerance of 1e-5 covers these
  // roundings.
  const expectVendor = (
    basis: 'quoted' | 'split_adjusted',
    quoted: (close: string, day: string) => string,
  ) => {
    const steps = adjustmentSteps(
      actions.map((each) => ({
        ...each,
        amount: each.amount && quoted(each.amount, each.exDate),
        closeBefore: each.closeBefore && quoted(each.closeBefore, each.exDate),
      })),
      basis,
    );
    expect(rows.filter(({ day }) => day < '2020-08-07')).to.not.deep.equal([]);
    for (const { day, close, adjusted } of rows) {
      const derived = Number(scaled(quoted(close, day), factorsOn(steps, day).price));
      expect(derived / Number(adjusted), day).to.be.closeTo(1, 1e-5);
    }
  };

  it('reproduce the adjusted closes of the vendor from closes that are already adjusted for splits', () => {
    expectVendor('split_adjusted', (close) => close);
  });

  it('reproduce the adjusted closes of the vendor from closes and dividends as quoted at the time', () => {
    expectVendor('quoted', (value, day) => (day < '2020-08-31' ? String(Number(value) * 4) : value));
  });

  it('are products over later actions: 1 - d/p per dividend and 1/r per split for prices, r per split for volumes', () => {
    const steps = adjustmentSteps(
      [dividend('2020-03-02', '1', '100'), split('2020-02-03', '2'), dividend('2020-01-02', '4', '80')],
      'quoted',
    );
    expect(steps).to.deep.equal([
      { exDate: '2020-01-02', price: ((0.99 * 1) / 2) * 0.95, volume: 2 },
      { exDate: '2020-02-03', price: 0.99 / 2, volume: 2 },
      { exDate: '2020-03-02', price: 0.99, volume: 1 },
    ]);
    expect(factorsOn(steps, '2020-03-02')).to.include({ price: 1, volume: 1 });
    expect(factorsOn(steps, '2020-03-01')).to.include({ price: 0.99, volume: 1 });
    expect(factorsOn(steps, '2020-02-03')).to.include({ price: 0.99 });
    expect(factorsOn(steps, '2020-02-02')).to.include({ price: 0.495, volume: 2 });
    expect(factorsOn([], '2020-01-01')).to.deep.equal({ price: 1, volume: 1 });
  });

  it('treat a dividend on the day of a split as paid per new share', () => {
    const [step] = adjustmentSteps([split('2020-02-03', '2'), dividend('2020-02-03', '1', '200')], 'quoted');
    expect(step).to.deep.equal({ exDate: '2020-02-03', price: 0.99 / 2, volume: 2 });
  });

  it('ignore a dividend without an earlier close or with an amount not below the earlier close', () => {
    for (const close of [null, '5', '4']) {
      expect(adjustmentSteps([dividend('2020-01-02', '5', close)], 'quoted')[0]).to.include({ price: 1 });
    }
  });

  it('give decimals of at most 10 significant digits without an exponent, and keep the text if the factor is 1', () => {
    expect(scaled('100.00', 1)).to.equal('100.00');
    expect(scaled('100', 0.99)).to.equal('99');
    expect(scaled('1', 1 / 3)).to.equal('0.3333333333');
    expect(scaled('0.0000001', 0.5)).to.equal('0.00000005');
    expect(scaled('560518000', 4)).to.equal('2242072000');
  });
});
