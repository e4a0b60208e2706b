import { expect } from 'chai';
import fc from 'fast-check';
import {
  currencies,
  formatMajor,
  minorDigits,
  MINOR_MAX,
  parseMajor,
  toMinor,
  wireMinor,
} from '#lib/core/money.ts';
import { repetitions } from '../../support/repetitions.ts';

describe('money', () => {
  it('I-010 has the number of decimals that ISO 4217 states for its currency, independent of any locale', () => {
    const some = { EUR: 2, JPY: 0, KWD: 3, IQD: 3, HUF: 2, IDR: 2, COP: 2, PKR: 2, XOF: 0 };
    for (const [currency, digits] of Object.entries(some))
      expect(minorDigits(currency), currency).to.equal(digits);
    for (const none of ['XXX', 'XTS', 'XAU', 'DEM', 'eur', 'EU', 'EURO', 'EUR ', '\u0415UR', 'CHE', '']) {
      expect(minorDigits(none), none).to.equal(undefined);
    }
    expect(currencies.length).to.be.greaterThan(150);
  });

  it('I-010 I-011 is unchanged after formatting and parsing, for every amount of at most 15 digits', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n });
    fc.assert(
      fc.property(amounts, fc.constantFrom(0, 2, 3), (minor, digits) => {
        expect(parseMajor(formatMajor(minor, digits), digits)).to.deep.equal({ ok: true, minor });
        const asDouble = JSON.stringify(Number(formatMajor(minor, digits)));
        expect(parseMajor(asDouble, digits)).to.deep.equal({ ok: true, minor });
      }),
      { numRuns: repetitions.roundTrips },
    );
  });

  it('is parsed in linear time from a text of a million digits', () => {
    const digits = '0'.repeat(1_000_000);
    const precision = { ok: false, code: 'amount_precision' };
    expect(parseMajor(`0.1${digits}1`, 2)).to.deep.equal(precision);
    expect(parseMajor(`0.1${digits}`, 2)).to.deep.equal({ ok: true, minor: 10n });
    expect(parseMajor(`1${digits}1`, 2)).to.deep.equal({ ok: false, code: 'amount_range' });
  });

  it('I-012 is rejected if the amount has more decimals than the currency', () => {
    for (const [text, digits] of [
      ['100.5', 0],
      ['1.005', 2],
      ['1.0001', 2],
      ['0.1e-2', 2],
      ['1e-3', 2],
    ] as const) {
      expect(parseMajor(text, digits), text).to.deep.equal({ ok: false, code: 'amount_precision' });
    }
    for (const [text, minor] of [
      ['100.50', 10_050n],
      ['1.00000', 100n],
      ['1e3', 100_000n],
      ['1.5e1', 1_500n],
      ['0.0', 0n],
      ['-0', 0n],
      ['0.07', 7n],
    ] as const) {
      expect(parseMajor(text, 2), text).to.deep.equal({ ok: true, minor });
    }
  });

  it('I-013 is rejected if the amount is not a number or is too large for a JSON integer', () => {
    for (const text of ['', 'NaN', 'Infinity', '.5', '5.', '+5', '1,5', ' 5', '0x10', '1e', '1e99999']) {
      expect(parseMajor(text, 2), text).to.deep.equal({ ok: false, code: 'invalid_amount' });
    }
    for (const text of ['1e400', '12345678901234567', '1e16', '90071992547409.92']) {
      expect(parseMajor(text, 2).ok, text).to.equal(false);
    }
    expect(wireMinor(MINOR_MAX)).to.equal(Number.MAX_SAFE_INTEGER);
    expect(() => wireMinor(MINOR_MAX + 1n)).to.throw(RangeError);
  });

  it('is rounded half to even from a computed number, above and below 0', () => {
    const cases = {
      '2.5': 2n,
      '3.5': 4n,
      '-2.5': -2n,
      '-3.5': -4n,
      '0.4999': 0n,
      '-0.5001': -1n,
      '7': 7n,
      '-0': 0n,
    };
    for (const [statistic, minor] of Object.entries(cases)) {
      expect(toMinor(Number(statistic)), statistic).to.deep.equal({ ok: true, minor });
    }
    for (const statistic of [Number.NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53)]) {
      expect(toMinor(statistic), String(statistic)).to.deep.equal({ ok: false, code: 'amount_range' });
    }
  });
});
