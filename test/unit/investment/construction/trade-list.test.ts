import { expect } from 'chai';
import fc from 'fast-check';
import { amountMinor, formatDecimal } from '#lib/core/decimal.ts';
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
  ...trades.map(({ symbol, side, quantity }) => `${side} ${formatDecimal(quantity)} ${symbol}`),
  `left ${cashLeftMinor}`,
];

describe('a trade list', () => {
  it('rounds purchases down to the lot size, and buys one more lot by largest remainder while the cash suffices', () => {
    const both = [target({ symbol: 'B', price: shares(31) }), target({ symbol: 'A' })];
    // The targets are 166.67 A and 161.29 B. Rounded down, they leave 29.00, too little for one more A at
    // 30.00.
    expect(short(tradeList(both, terms))).to.deep.equal(['buy 166 A', 'buy 161 B', 'left 2900']);
    const more = { ...terms, cashMinor: 1_000_100n };
    expect(short(tradeList(both, more))).to.deep.equal(['buy 167 A', 'buy 161 B', 'left 0']);
  });

  it('buys one more lot of the first symbol if the remainders are equal', () => {
    const both = [target({ symbol: 'b' }), target({ symbol: 'a' })];
    const found = tradeList(both, { ...terms, valueMinor: 999_000n, cashMinor: 999_000n });
    expect(short(found)).to.deep.equal(['buy 167 a', 'buy 166 b', 'left 0']);
  });

  it('rounds sales up to the lot size, but sells at most the whole position', () => {
    const held = { ...terms, cashMinor: 0n };
    const half = target({ quantity: shares(333.5), weight: 0.5 });
    expect(short(tradeList([half], held))).to.deep.equal(['sell 167 A', 'left 501000']);
    const none = target({ quantity: shares(333.5), weight: 0 });
    expect(short(tradeList([none], held))).to.deep.equal(['sell 333.5 A', 'left 1000500']);
    const lots = { ...held, lotSize: shares(400) };
    expect(short(tradeList([half], lots))).to.deep.equal(['sell 333.5 A', 'left 1000500']);
  });

  it('does not spend the cash that is needed for costs and for the minimum cash', () => {
    const whole = target({ weight: 1, costRate: () => 0.01 });
    const found = tradeList([whole], { ...terms, cashMinMinor: 50_000n });
    // 9,500.00 of the cash exceed the minimum. At a price of 30.00 and costs of 1 %, this amount buys 313
    // shares.
    expect(short(found)).to.deep.equal(['buy 313 A', 'left 51610']);
  });

  it('omits trades below the minimum trade amount, and sells short for a negative weight', () => {
    expect(
      short(tradeList([target({ weight: 0.01 })], { ...terms, minimumTradeMinor: 10_001n })),
    ).to.deep.equal(['left 1000000']);
    expect(short(tradeList([target({ weight: -0.1 })], terms))).to.deep.equal(['sell 34 A', 'left 1102000']);
  });

  it('accounts for all cash in minor units, and never spends more than the available cash', () => {
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
