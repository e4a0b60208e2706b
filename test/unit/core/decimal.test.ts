import { expect } from 'chai';
import fc from 'fast-check';
import {
  amountMinor,
  divideDown,
  divideHalfEven,
  divideUp,
  formatDecimal,
  notionalMinor,
  parseDecimal,
} from '#lib/core/decimal.ts';

const shares = (count: number): bigint => BigInt(Math.round(count * 1e8));

describe('decimals', () => {
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

  it('round a quotient up and down to the integers around it', () => {
    expect([-7n, -6n, -5n, 5n, 6n, 7n].map((each) => divideDown(each, 3n))).to.deep.equal([
      -3n,
      -2n,
      -2n,
      1n,
      2n,
      2n,
    ]);
    expect([-7n, -6n, -5n, 5n, 6n, 7n].map((each) => divideUp(each, 3n))).to.deep.equal([
      -2n,
      -2n,
      -1n,
      2n,
      2n,
      3n,
    ]);
    expect(notionalMinor(1n, 1n, 2)).to.equal(1n);
  });

  it('are read and written without loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (value) => {
        expect(parseDecimal(formatDecimal(value))).to.equal(value);
      }),
    );
    expect(formatDecimal(-150_000_000n)).to.equal('-1.5');
  });
});
