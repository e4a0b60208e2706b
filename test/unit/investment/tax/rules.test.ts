import { expect } from 'chai';
import fc from 'fast-check';
import { longFrom, termOf } from '#lib/investment/tax/holding-period.ts';
import { netGains, taxMinor } from '#lib/investment/tax/netting.ts';
import { rankReplacements } from '#lib/investment/tax/replacements.ts';
import { trackingVariance } from '#lib/investment/tax/tracking-variance.ts';

const none = { shortMinor: 0n, longMinor: 0n };
const rates = { shortBps: 3700, longBps: 2000, ordinaryBps: 3700 };

describe('holding periods', () => {
  it('become long-term on the day after the anniversary of the purchase', () => {
    expect(longFrom('2024-02-29')).to.equal('2025-03-01');
    expect(longFrom('2023-02-28')).to.equal('2024-02-29');
    expect(longFrom('2023-12-31')).to.equal('2025-01-01');
    expect([termOf('2023-03-15', '2024-03-15'), termOf('2023-03-15', '2024-03-16')]).to.deep.equal([
      'short',
      'long',
    ]);
  });
});

describe('netGains', () => {
  it('deducts a long-term loss up to the limit and carries the rest as long-term if there are no gains', () => {
    const net = netGains({ shortMinor: 0n, longMinor: -1_500_000n }, none, 300_000n);
    expect(net).to.include({ deductionMinor: 300_000n, carryShortMinor: 0n, carryLongMinor: 1_200_000n });
    expect(taxMinor(net, rates)).to.equal(-111_000n);
  });

  it('divides gains and losses into taxable gains, deduction and carried losses without a remainder', () => {
    const amount = fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n });
    fc.assert(
      fc.property(amount, amount, fc.bigInt({ min: 0n, max: 2n ** 40n }), (shortMinor, longMinor, limit) => {
        const net = netGains({ shortMinor, longMinor }, none, limit);
        const { taxableShortMinor, taxableLongMinor, deductionMinor, carryShortMinor, carryLongMinor } = net;
        const sum = taxableShortMinor + taxableLongMinor - deductionMinor - carryShortMinor - carryLongMinor;
        expect(sum).to.equal(shortMinor + longMinor);
        expect(deductionMinor <= limit).to.equal(true);
        for (const each of [
          taxableShortMinor,
          taxableLongMinor,
          deductionMinor,
          carryShortMinor,
          carryLongMinor,
        ])
          expect(each >= 0n).to.equal(true);
      }),
    );
  });

  it('gives a net gain whose tax is rounded down', () => {
    expect(taxMinor(netGains({ shortMinor: 1n, longMinor: 0n }, none, 0n), rates)).to.equal(0n);
    expect(taxMinor(netGains({ shortMinor: -1n, longMinor: 0n }, none, 10n), rates)).to.equal(-1n);
  });
});

describe('replacement securities', () => {
  const covariance = [
    [0.04, 0.01],
    [0.01, 0.09],
  ];
  const security = (symbol: string, exposures: number[], specificVariance = 0.01) => ({
    symbol,
    exposures,
    specificVariance,
    themes: ['chips', symbol],
    returns: [0.01, null, 0.03, -0.02, 0.05],
  });

  it('have a tracking variance equal to the variance of the difference of returns', () => {
    const one = { exposures: [1, 0], specificVariance: 0.01 };
    expect(trackingVariance(one, { exposures: [0.5, 0], specificVariance: 0.02 }, covariance)).to.be.closeTo(
      0.04,
      1e-15,
    );
    expect(trackingVariance(one, one, covariance)).to.equal(0.02);
    expect(() => trackingVariance(one, { exposures: [1], specificVariance: 0 }, covariance)).to.throw(
      RangeError,
    );
    expect(() =>
      trackingVariance(one, { exposures: [1, Number.NaN], specificVariance: 0 }, covariance),
    ).to.throw(RangeError);
  });

  it('are ranked by tracking variance, then by symbol, without the sold and the excluded symbols', () => {
    const sold = security('S', [1, 0]);
    const candidates = ['Z', 'B', 'A', 'S', 'twin'].map((symbol) =>
      security(symbol, symbol === 'Z' ? [0, 1] : [0.9, 0]),
    );
    const ranked = rankReplacements(sold, candidates, { covariance, excluded: ['twin'], most: 2 });
    expect(ranked.map(({ symbol, sharedThemes, periods }) => [symbol, sharedThemes, periods])).to.deep.equal([
      ['A', ['chips'], 4],
      ['B', ['chips'], 4],
    ]);
    expect(ranked[0]?.correlation).to.be.closeTo(1, 1e-15);
  });

  it('have a correlation of null for constant returns or too few common periods', () => {
    const sold = security('S', [1, 0]);
    const flat = { ...security('F', [1, 0]), returns: [0.1, 0.1, 0.1, 0.1, 0.1] };
    const short = { ...security('T', [1, 0]), returns: [0.1, 0.2] };
    const options = { covariance, excluded: [], most: 10 };
    expect(
      rankReplacements(sold, [flat, short], options).map(({ correlation }) => correlation),
    ).to.deep.equal([null, null]);
  });
});
