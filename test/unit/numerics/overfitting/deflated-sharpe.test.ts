import { expect } from 'chai';
import fc from 'fast-check';
import { deflatedSharpe } from '#lib/numerics/overfitting/deflated-sharpe.ts';
import { type Evidence, evidenceReading } from '#lib/numerics/overfitting/evidence-reading.ts';
import { expectedMaximum } from '#lib/numerics/overfitting/expected-maximum.ts';
import { minimumTrackRecord } from '#lib/numerics/overfitting/minimum-track-record.ts';
import { probabilisticSharpe } from '#lib/numerics/risk/probabilistic-sharpe.ts';
import { sharpeSpread } from '#lib/numerics/risk/sharpe-spread.ts';

const returns = fc.array(fc.double({ min: -0.2, max: 0.3, noNaN: true }), { minLength: 3, maxLength: 80 });
const level = 0.95;

describe('the expected maximum of Sharpe ratios', () => {
  it('has the values of its examples, and increases with the trials', () => {
    expect(expectedMaximum(1)).to.equal(0);
    expect(expectedMaximum(2)).to.be.closeTo(0.5198, 1e-4);
    expect(expectedMaximum(10)).to.be.closeTo(1.5746, 1e-4);
    let before = 0;
    for (const trials of [2, 3, 10, 1_000, 1e6, 1e12, Number.MAX_SAFE_INTEGER]) {
      expect(expectedMaximum(trials)).to.be.greaterThan(before);
      before = expectedMaximum(trials);
    }
  });

  it('rejects numbers of trials that are not integers of 1 or more', () => {
    for (const trials of [0, -1, 1.5, NaN, Infinity])
      expect(() => expectedMaximum(trials)).to.throw(RangeError);
  });
});

describe('the deflated Sharpe ratio', () => {
  it('is at most the probabilistic Sharpe ratio, and equal to it with one trial', () => {
    fc.assert(
      fc.property(
        returns,
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (each, trials, deviation) => {
          const psr = probabilisticSharpe(each, { riskFree: 0, target: 0 });
          const { benchmark, probability } = deflatedSharpe(each, { riskFree: 0, trials, deviation });
          expect(benchmark).to.be.at.least(0);
          if (psr === null) expect(probability).to.equal(null);
          else expect(probability).to.be.at.most(psr);
          if (trials === 1) expect(probability).to.equal(psr);
        },
      ),
    );
  });

  it('is 0.5 if the ratio equals the benchmark', () => {
    const each = [0.02, -0.01, 0.03, 0.01];
    const { ratio } = sharpeSpread(each, 0)!;
    const deviation = ratio / expectedMaximum(7);
    expect(deflatedSharpe(each, { riskFree: 0, trials: 7, deviation }).probability).to.be.closeTo(0.5, 1e-15);
  });

  it('is null for one return and for constant returns, and NaN is never a probability', () => {
    for (const each of [[], [0.01], [0.01, 0.01, 0.01], [0.01, NaN, 0.02], [0.01, Infinity, 0.02]])
      expect(deflatedSharpe(each, { riskFree: 0, trials: 5, deviation: 0.1 }).probability).to.equal(null);
  });

  it('rejects a deviation that is negative or not finite', () => {
    for (const deviation of [-0.1, NaN, Infinity])
      expect(() => deflatedSharpe([1, 2], { riskFree: 0, trials: 2, deviation })).to.throw(RangeError);
  });
});

describe('the minimum track record length', () => {
  it('is the length at which the probabilistic Sharpe ratio reaches the level', () => {
    fc.assert(
      fc.property(returns, (each) => {
        const length = minimumTrackRecord(each, { riskFree: 0, target: 0, level });
        const psr = probabilisticSharpe(each, { riskFree: 0, target: 0 });
        if (length === null) expect(psr === null || psr <= 0.5).to.equal(true);
        else if (Math.abs(psr! - level) > 1e-9) expect(each.length >= length).to.equal(psr! >= level);
      }),
    );
  });

  it('is null if the ratio is not above the target or not known', () => {
    for (const each of [[], [1], [1, 1], [-0.01, 0.01], [-0.02, 0.01], [0.01, NaN]])
      expect(minimumTrackRecord(each, { riskFree: 0, target: 0, level })).to.equal(null);
  });

  it('rejects a level outside 0.5 to 1', () => {
    for (const each of [0.5, 1, NaN])
      expect(() => minimumTrackRecord([1, 2], { riskFree: 0, target: 0, level: each })).to.throw(RangeError);
  });
});

describe('the conclusion from the evidence', () => {
  const good: Evidence = { observations: 1_000, minimumTrackRecord: 415.4, deflated: 0.985, pbo: 0.2 };

  it('follows the first rule that applies', () => {
    const cases: [Partial<Evidence>, string][] = [
      [{}, 'holds'],
      [{ pbo: null }, 'holds'],
      [{ pbo: 0.5, deflated: 0.95 }, 'holds'],
      [{ pbo: 0.63 }, 'chosen_by_luck_within_a_good_family'],
      [{ deflated: 0.949 }, 'luck'],
      [{ deflated: 0.949, pbo: 0.63 }, 'luck'],
      [{ deflated: 0.1, minimumTrackRecord: null }, 'luck'],
      [{ observations: 415 }, 'too_short'],
      [{ observations: 415, deflated: 0.1 }, 'too_short'],
      [{ deflated: null }, 'too_short'],
      [{ deflated: NaN }, 'too_short'],
    ];
    for (const [changes, reading] of cases)
      expect(evidenceReading({ ...good, ...changes }), JSON.stringify(changes)).to.equal(reading);
  });
});
