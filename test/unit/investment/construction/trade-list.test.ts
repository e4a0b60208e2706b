import { expect } from 'chai';
import fc from 'fast-check';
import {
  amountMinor,
  divideHalfEven,
  formatFixed,
  parseFixed,
} from '#lib/investment/construction/fixed-point.ts';
import { type TradeTarget, type TradeTerms, tradeList } from '#lib/investment/construction/trade-list.ts';

const shares = (count: number): bigint => BigInt(Math.round(count * 1e8));
const free = () => 0;
const terms: TradeTerms = {
  valueMinor: 1_000_000n,
  cashMinor: 1_000_000n,
  cashMinMinor: 0n,
  minorDigits: 2,
  lotSize: shares(1),
  minimumTradeMinor: 0n,
};
const target = (change: Partial<TradeTarget>): TradeTarget => ({
  symbol: 'A',
  quantity: 0n,
  price: shares(30),
  weight: 0.5,
  costRate: free,
  ...change,
});
const short = ({ trades, cashLeftMinor }: ReturnType<typeof tradeList>) => [
  ...trades.map(({ symbol, side, quantity }) => `${side} ${formatFixed(quantity)} ${symbol}`),
  `left ${cashLeftMinor}`,
];

describe('trade list', () => {
  it('floors purchases to the lot, and buys one more of the largest fraction while the cash suffices', () => {
    const both = [target({ symbol: 'B', price: shares(31) }), target({ symbol: 'A' })];
    // 166.67 of A and 161.29 of B: the floors leave 29.00, which is not enough for one of A at 30.00.
    expect(short(tradeList(both, terms))).to.deep.equal(['buy 166 A', 'buy 161 B', 'left 2900']);
    const more = { ...terms, cashMinor: 1_000_100n };
    expect(short(tradeList(both, more))).to.deep.equal(['buy 167 A', 'buy 161 B', 'left 0']);
  });

  it('orders equal fractions by symbol', () => {
    const both = [target({ symbol: 'b' }), target({ symbol: 'a' })];
    const found = tradeList(both, { ...terms, valueMinor: 999_000n, cashMinor: 999_000n });
    expect(short(found)).to.deep.equal(['buy 167 a', 'buy 166 b', 'left 0']);
  });

  it('ceils sales to the lot, and sells the whole of an odd lot', () => {
    const held = { ...terms, cashMinor: 0n };
    const half = target({ quantity: shares(333.5), weight: 0.5 });
    expect(short(tradeList([half], held))).to.deep.equal(['sell 167 A', 'left 501000']);
    const none = target({ quantity: shares(333.5), weight: 0 });
    expect(short(tradeList([none], held))).to.deep.equal(['sell 333.5 A', 'left 1000500']);
    const lots = { ...held, lotSize: shares(400) };
    expect(short(tradeList([half], lots))).to.deep.equal(['sell 333.5 A', 'left 1000500']);
  });

  it('keeps the cash for costs and for the minimum', () => {
    const whole = target({ weight: 1, costRate: () => 0.01 });
    const found = tradeList([whole], { ...terms, cashMinMinor: 50_000n });
    // 333 shares are 9,990.00; of 9,500.00 with 1 % costs 313 can be bought.
    expect(short(found)).to.deep.equal(['buy 313 A', 'left 51610']);
  });

  it('leaves out trades below the minimum, and sells short', () => {
    expect(
      short(tradeList([target({ weight: 0.01 })], { ...terms, minimumTradeMinor: 10_001n })),
    ).to.deep.equal(['left 1000000']);
    expect(short(tradeList([target({ weight: -0.1 })], terms))).to.deep.equal(['sell 34 A', 'left 1102000']);
  });

  it('conserves money to the minor unit, and never spends more than there is', () => {
    const position = fc.record({
      quantity: fc.bigInt({ min: 0n, max: shares(1_000) }),
      price: fc.bigInt({ min: 1n, max: shares(5_000) }),
      weight: fc.double({ min: 0, max: 0.2, noNaN: true }),
      rate: fc.double({ min: 0, max: 0.05, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(position, { maxLength: 5 }),
        fc.bigInt({ min: 0n, max: 10_000_000n }),
        fc.constantFrom(shares(1), shares(100), 1n, shares(0.001)),
        (positions, cashMinor, lotSize) => {
          const targets = positions.map(({ rate, ...each }, at) =>
            target({ ...each, symbol: `S${at}`, costRate: () => rate }),
          );
          let valueMinor = cashMinor;
          for (const { quantity, price } of positions) valueMinor += amountMinor(quantity, price, 2);
          const found = tradeList(targets, { ...terms, valueMinor, cashMinor, lotSize });
          let cash = cashMinor;
          for (const { side, amountMinor: amount, costMinor, quantity, symbol } of found.trades) {
            cash += (side === 'sell' ? amount : -amount) - costMinor;
            const { quantity: held } = targets.find((each) => each.symbol === symbol)!;
            expect(quantity > 0n && (side === 'buy' || quantity <= held)).to.equal(true);
            expect(side === 'sell' && quantity === held ? 0n : quantity % lotSize).to.equal(0n);
          }
          expect(found.cashLeftMinor).to.equal(cash);
          expect(cash >= 0n).to.equal(true);
          const shuffled = tradeList(targets.toReversed(), { ...terms, valueMinor, cashMinor, lotSize });
          expect(shuffled).to.deep.equal(found);
        },
      ),
    );
  });
});

describe('fixed-point numbers', () => {
  it('round halves to even, below 0 too', () => {
    expect([5n, 15n, -5n, -15n, 16n, -16n].map((each) => divideHalfEven(each, 10n))).to.deep.equal([
      0n,
      2n,
      0n,
      -2n,
      2n,
      -2n,
    ]);
    expect(amountMinor(shares(1.5), shares(0.33), 2)).to.equal(50n);
    expect(amountMinor(1n, 1n, 8)).to.equal(0n);
  });

  it('are read and written without loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (value) => {
        expect(parseFixed(formatFixed(value))).to.equal(value);
      }),
    );
    expect(formatFixed(-150_000_000n)).to.equal('-1.5');
  });
});
