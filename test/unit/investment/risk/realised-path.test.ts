import { expect } from 'chai';
import fc from 'fast-check';
import type { PortfolioEvent } from '#lib/investment/portfolios/portfolio-event.ts';
import { type PathQuestion, realisedPath } from '#lib/investment/risk/realised-path.ts';
import { coverageOf, pricedReturns, realisedReturns } from '#lib/investment/risk/realised-returns.ts';
import { weekdays } from '../../../support/daily-prices.ts';
import { buy, event, sell, shares } from '../../../support/portfolio.ts';

type Given = Partial<PathQuestion> & {
  prices: Readonly<Record<string, readonly number[]>>;
  adjusted?: boolean;
};

function pathOf(
  events: readonly PortfolioEvent[],
  { prices, adjusted = false, ...given }: Given & { dates: readonly string[] },
) {
  return realisedPath({
    portfolio: 'main',
    events,
    splits: [],
    asOf: given.dates.at(-1)!,
    currency: null,
    isDaily: true,
    closesOf: (symbol) =>
      prices[symbol] && { prices: Float64Array.from(prices[symbol]), isSplitAdjusted: adjusted },
    ...given,
  });
}

const returnsOf = (...given: Parameters<typeof pathOf>) => [...realisedReturns(pathOf(...given)).returns];

function near(actual: readonly number[], expected: readonly number[], tolerance = 1e-12): void {
  expect(actual.length).to.equal(expected.length);
  for (const [t, each] of expected.entries())
    expect(actual[t]!, `return ${t}`).to.be.closeTo(each, tolerance);
}

const deposit = (on: string, amountMinor: bigint, reference = `deposit ${on}`) =>
  event('deposit', on, { symbol: null, amountMinor, reference });
const split = (exOn: string, ratio: string) => ({
  symbol: 'X',
  exOn,
  ratio,
  knownAt: `${exOn}T00:00:00.000Z`,
  withdrawn: false,
});

describe('realisedPath', () => {
  const dates = ['2020-01-02', '2020-01-03', '2020-01-06', '2020-01-07', '2020-01-08'];
  const events = [
    deposit('2020-01-02', 1_000_00n),
    buy('2020-01-02', '5', 500_00n, { feesMinor: 100n }),
    event('dividend', '2020-01-03', { amountMinor: 250n }),
    deposit('2020-01-04', 200_00n),
    sell('2020-01-07', '4', 216_00n, { feesMinor: 100n }),
    event('withdraw', '2020-01-08', { symbol: null, amountMinor: 300_00n }),
    event('transfer_out', '2020-01-08', { quantity: shares('1') }),
  ];
  const given = { dates, splits: [split('2020-01-06', '2')], prices: { X: [102, 104, 53, 55, 50] } };

  it('values each date by hand: fees, a dividend, a weekend deposit, a split, a sale and a transfer', () => {
    const { values, flows } = pathOf(events, given);
    // Cash: 499; 501.50 with the dividend; 701.50 with the deposit; 916.50 with the sale; 616.50 after the withdrawal.
    near(
      [...values].map((each) => each / 100),
      [5 * 102 + 499, 5 * 104 + 501.5, 10 * 53 + 701.5, 6 * 55 + 916.5, 5 * 50 + 616.5],
      1e-9,
    );
    near([...flows].slice(1), [0, 200_00, 0, -(300_00 + 55_00)], 1e-9);
    near(returnsOf(events, given), [
      1021.5 / 1009 - 1,
      1231.5 / (1021.5 + 200) - 1,
      1246.5 / 1231.5 - 1,
      866.5 / (1246.5 - 355) - 1,
    ]);
  });

  it('values a position at the price of its last trade, and not at closes in another currency', () => {
    const asked: string[][] = [];
    const { values, unpriced } = pathOf(events.slice(0, 2), {
      ...given,
      splits: [],
      closesOf: (...question) => {
        asked.push(question);
        return undefined;
      },
    });
    near(
      [...values],
      dates.map(() => 5 * 100_00 + 499_00),
      1e-9,
    );
    expect([...unpriced]).to.deep.equal(dates.map(() => 1));
    expect(asked).to.deep.equal([['X', 'USD']]);
  });

  it('ignores events and splits that became known later', () => {
    const late = events.map((each) =>
      each.type === 'dividend' ? { ...each, knownAt: '2020-01-09T00:00:00.000Z' } : each,
    );
    expect(pathOf(late, given).values[1]! / 100).to.be.closeTo(5 * 104 + 499, 1e-9);
    expect(pathOf(late, { ...given, asOf: '2020-01-09' }).values[1]! / 100).to.be.closeTo(
      5 * 104 + 501.5,
      1e-9,
    );
  });

  it('converts closes that are divided by later splits to the quoted closes', () => {
    const adjusted = { ...given, prices: { X: [51, 52, 53, 55, 50] }, adjusted: true };
    near(returnsOf(events, adjusted), returnsOf(events, given));
  });

  it('has the same returns as the symbol if the portfolio is fully invested and never trades', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 3, maxLength: 40 }),
        (cents) => {
          const days = weekdays('2020-01-01', cents.length);
          const prices = cents.map((each) => each / 100);
          const bought = [
            deposit(days[0]!, BigInt(cents[0]! * 7)),
            buy(days[0]!, '7', BigInt(cents[0]! * 7)),
          ];
          const expected = prices.slice(1).map((price, t) => price / prices[t]! - 1);
          near(returnsOf(bought, { dates: days, prices: { X: prices } }), expected, 1e-9);
        },
      ),
    );
  });

  it('has the same returns with and without a deposit or a transfer in proportion to the holdings', () => {
    const cents = fc.array(fc.integer({ min: 100, max: 10_000 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(
        cents,
        cents,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 5 }),
        (x, y, at, times) => {
          const days = weekdays('2020-01-01', 8);
          const prices = { X: x.map((each) => each / 100), Y: y.map((each) => each / 100) };
          const base = [
            deposit(days[0]!, 9_000_00n),
            buy(days[0]!, '10', 300_00n, { reference: 'x' }),
            buy(days[0]!, '20', 700_00n, { reference: 'y', symbol: 'Y' }),
          ];
          const before = { X: BigInt(x[at - 1]!), Y: BigInt(y[at - 1]!) };
          const n = BigInt(times);
          const cash = 8_000_00n * n;
          const deposited = [
            ...base,
            deposit(days[at]!, (10n * before.X + 20n * before.Y) * n + cash),
            buy(days[at]!, `${10 * times}`, 10n * before.X * n, { reference: 'x2' }),
            buy(days[at]!, `${20 * times}`, 20n * before.Y * n, { reference: 'y2', symbol: 'Y' }),
          ];
          const transfer = (symbol: string, quantity: number) =>
            event('transfer_in', days[at]!, {
              reference: `in ${symbol}`,
              symbol,
              quantity: shares(`${quantity * times}`),
              acquiredOn: days[0]!,
              basisMinor: 1n,
            });
          const transferred = [...base, deposit(days[at]!, cash), transfer('X', 10), transfer('Y', 20)];
          const expected = returnsOf(base, { dates: days, prices });
          near(returnsOf(deposited, { dates: days, prices }), expected, 1e-9);
          near(returnsOf(transferred, { dates: days, prices }), expected, 1e-9);
        },
      ),
    );
  });

  it('has the same returns with and without a split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 100, max: 10_000 }), { minLength: 8, maxLength: 8 }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(['2', '6'] as const, ['0.1', '0.3'] as const, ['1.5', '4.5'] as const),
        (cents, at, [ratio, out]) => {
          const days = weekdays('2020-01-01', 8);
          const plain = cents.map((each) => each / 100);
          const quoted = plain.map((price, t) => (t < at ? price : price / Number(ratio)));
          const held = [deposit(days[0]!, 5_000_00n), buy(days[0]!, '30', 100_00n)];
          const after = event('transfer_out', days[at]!, { quantity: shares(out) });
          const unsplit = event('transfer_out', days[at]!, { quantity: shares('3') });
          const found = returnsOf([...held, after], {
            dates: days,
            prices: { X: quoted },
            splits: [split(days[at]!, ratio)],
          });
          near(found, returnsOf([...held, unsplit], { dates: days, prices: { X: plain } }), 1e-9);
        },
      ),
    );
  });

  it('weights a flow within a month by the share of the month that remains', () => {
    const months = ['2020-05-29', '2020-06-30', '2020-07-31'];
    const flows = [
      deposit('2020-05-01', 100_00n),
      buy('2020-05-04', '1', 100_00n),
      deposit('2020-06-29', 100_00n),
      event('transfer_in', '2020-07-16', {
        quantity: shares('1'),
        acquiredOn: '2020-01-02',
        basisMinor: 1n,
      }),
    ];
    const monthly = { dates: months, isDaily: false, prices: { X: [100, 110, 121] } };
    const share = 2 / 32; // 29 and 30 June are 2 of the 32 days since 29 May
    const [before, left] = [210, 16 / 31];
    const price = left * 110 + (1 - left) * 121;
    near(returnsOf(flows, monthly), [
      (210 - 100 - 100) / (100 + share * 100),
      (121 * 2 + 100 - before - price) / (before + left * price),
    ]);
  });

  it('fills gaps of up to five missing closes, also at the start, and counts longer gaps as unpriced', () => {
    const days = weekdays('2020-01-01', 12);
    const held = [deposit(days[0]!, 100_00n), buy(days[0]!, '1', 100_00n)];
    const none = Number.NaN;
    const short = pathOf(held, {
      dates: days,
      prices: { X: [none, 100, 101, none, none, none, none, none, 102, 103, 104, 105] },
    });
    near(
      [...short.values.subarray(0, 9)],
      [100, 100, 101, 101, 101, 101, 101, 101, 102].map((each) => each * 100),
    );
    expect(coverageOf(short, 11)).to.deep.equal({ shareWithout: 0, symbols: [], rowsFilled: 6 });
    const long = pathOf(held, {
      dates: days,
      prices: { X: [100, 101, none, none, none, none, none, none, 102, 103, 104, 105] },
    });
    expect(coverageOf(long, 11)).to.deep.equal({ shareWithout: 1, symbols: ['X'], rowsFilled: 5 });
    expect(coverageOf(long, 3).shareWithout).to.equal(0);
    expect(pricedReturns(long, realisedReturns(long).returns).length).to.equal(3);
    const never = pathOf(held, { dates: days, prices: {} });
    expect([never.values[11], never.unpriced[11]]).to.deep.equal([100_00, 1]);
  });

  it('begins after the last period without a value, and names a period that begins with a value of 0 or below', () => {
    const days = weekdays('2020-01-01', 6);
    const prices = { X: [100, 100, 110, 120, 130, 140] };
    const opened = pathOf([deposit(days[2]!, 100_00n), buy(days[2]!, '1', 100_00n)], { dates: days, prices });
    const found = realisedReturns(opened);
    near([...found.returns], [0.1, 120 / 110 - 1, 130 / 120 - 1, 140 / 130 - 1]);
    expect(found.broken).to.equal(null);
    const owed = pathOf([buy(days[0]!, '1', 100_00n), deposit(days[3]!, 200_00n)], { dates: days, prices });
    expect(realisedReturns(owed).broken).to.deep.equal({ row: 2, valueMinor: 0 });
    expect(pathOf([buy(days[0]!, '1', 100_00n)], { dates: days, prices }).isFunded).to.equal(false);
  });

  it('uses only the requested currency, and lists all currencies that were held', () => {
    const days = weekdays('2020-01-01', 3);
    const held = [
      deposit(days[0]!, 100_00n),
      buy(days[0]!, '1', 100_00n),
      { ...deposit(days[0]!, 50_00n, 'euro'), currency: 'EUR' },
    ];
    const prices = { X: [100, 110, 121] };
    expect(pathOf(held, { dates: days, prices }).currencies).to.deep.equal(['EUR', 'USD']);
    near(returnsOf(held, { dates: days, prices, currency: 'USD' }), [0.1, 0.1]);
    near(returnsOf(held, { dates: days, prices, currency: 'EUR' }), [0, 0]);
  });
});
