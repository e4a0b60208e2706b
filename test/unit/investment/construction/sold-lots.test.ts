import { expect } from 'chai';
import fc from 'fast-check';
import type { ConstructionLot } from '#lib/investment/construction/construction-input.ts';
import { byTax, takeLots, taxOf } from '#lib/investment/construction/sold-lots.ts';

const lot = (name: string, quantity: bigint, basisMinor: bigint, term: 'short' | 'long' = 'long') =>
  ({ lot: name, slice: 0, quantity, basisMinor, term }) satisfies ConstructionLot;
const rates = { short: 3700, long: 2000 };

describe('sold lots', () => {
  it('are ordered by their tax per share, and lots with equal tax keep their order', () => {
    const lots = [lot('a', 10n, 50n), lot('b', 10n, 60n, 'short'), lot('c', 10n, 120n), lot('d', 10n, 50n)];
    const order = byTax(lots, { rates, valueOf: (quantity) => 10 * Number(quantity) });
    expect(order.map((each) => each.lot.lot)).to.deep.equal(['c', 'a', 'd', 'b']);
    expect(order[0]!.taxShare).to.be.closeTo(-0.04, 1e-15);
    expect(order.at(-1)!.taxShare).to.be.closeTo(0.148, 1e-15);
  });

  it('divide the proceeds and the quantity without a remainder, and round the basis down', () => {
    expect(
      takeLots([lot('a', 2n, 101n), lot('b', 2n, 99n)], { quantity: 3n, proceedsMinor: 300n }),
    ).to.deep.equal([
      { lot: 'a', slice: 0, quantity: 2n, proceedsMinor: 200n, basisMinor: 101n, gainMinor: 99n },
      { lot: 'b', slice: 0, quantity: 1n, proceedsMinor: 100n, basisMinor: 49n, gainMinor: 51n },
    ]);
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 1n, max: 1000n }), { minLength: 1, maxLength: 6 }),
        fc.bigInt({ min: 0n, max: 10_000n }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (quantities, proceedsMinor, share) => {
          const lots = quantities.map((quantity, at) => lot(String(at), quantity, 10n * quantity));
          const held = quantities.reduce((sum, each) => sum + each, 0n);
          const quantity = BigInt(Math.ceil(Number(held) * share));
          const sold = takeLots(lots, { quantity, proceedsMinor });
          expect(sold.reduce((sum, each) => sum + each.proceedsMinor, 0n)).to.equal(proceedsMinor);
          expect(sold.reduce((sum, each) => sum + each.quantity, 0n)).to.equal(quantity);
        },
      ),
    );
  });

  it('are taxed at the rate of their holding period, with a negative tax for a loss', () => {
    const terms = new Map([['0 a', 'short'] as const, ['0 b', 'long'] as const]);
    const sold = [
      { lot: 'a', slice: 0, quantity: 1n, proceedsMinor: 0n, basisMinor: 0n, gainMinor: 1_000n },
      { lot: 'b', slice: 0, quantity: 1n, proceedsMinor: 0n, basisMinor: 0n, gainMinor: -1_001n },
    ];
    expect(taxOf(sold, { terms, rates })).to.equal(370n - 201n);
  });
});
