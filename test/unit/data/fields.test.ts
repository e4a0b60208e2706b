import { expect } from 'chai';
import fc from 'fast-check';
import {
  compareDecimals,
  dateFault,
  decimalFault,
  signedDecimalFault,
  symbolFault,
  textFault,
} from '#lib/data/import/readers/fields.ts';
import { repetitions } from '../../support/repetitions.ts';

const TODAY = '2026-11-21';
const digits = (max: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: max });
const whole = fc.oneof(
  fc.constant('0'),
  fc.tuple(fc.constantFrom(...'123456789'), digits(12)).map(([first, rest]) => first + rest),
);
const decimal = fc
  .tuple(whole, fc.option(digits(12).filter((text) => text !== '')))
  .map(([before, after]) => (after === null ? before : `${before}.${after}`));

describe('fields of imported files', () => {
  it('accept every decimal without sign and exponent', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        expect(decimalFault(text, 'zero')).to.equal(undefined);
        const expected = /[1-9]/.test(text) ? undefined : 'is not above 0';
        expect(decimalFault(text, 'above zero')).to.equal(expected);
      }),
    );
  });

  it('reject every other text in a decimal field', () => {
    const plain = /^(0|[1-9]\d*)(\.\d+)?$/;
    const unit = fc.constantFrom('0', '1', '7', '.', '-', '+', 'e', 'E', ' ', ',', '_', 'x', '٣', '\n');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 6 }), (text) => {
        expect(decimalFault(text, 'zero') === undefined, JSON.stringify(text)).to.equal(plain.test(text));
      }),
      { numRuns: repetitions.roundTrips },
    );
  });

  it('give the reason for a rejected decimal', () => {
    expect(decimalFault('', 'zero')).to.equal('is empty');
    expect(decimalFault('007', 'zero')).to.equal('has leading zeros');
    expect(decimalFault('-3.2', 'zero')).to.equal('is negative');
    expect(decimalFault('0.000', 'above zero')).to.equal('is not above 0');
    expect(decimalFault('9'.repeat(30), 'zero')).to.equal(undefined);
    expect(decimalFault(`1.${'9'.repeat(30)}`, 'zero')).to.equal('has more than 30 digits');
    for (const text of ['1e5', '+1', '.5', '5.', '1,5', 'NaN', 'Infinity', '0x1f', '1 ']) {
      expect(decimalFault(text, 'zero'), text).to.equal('is not a plain decimal number such as 28.70');
    }
  });

  it('accept a minus sign before a decimal if the value may be negative', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        expect(signedDecimalFault(text)).to.equal(undefined);
        expect(signedDecimalFault(`-${text}`)).to.equal(undefined);
      }),
    );
    expect(signedDecimalFault('')).to.equal('is empty');
    expect(signedDecimalFault('-007')).to.equal('has leading zeros');
    for (const text of ['-', '--1', '+1', '-.5', '- 1', '-1e5', '1-']) {
      expect(signedDecimalFault(text), text).to.be.a('string');
    }
  });

  it('order decimals exactly, for any number of digits', () => {
    const scaled = (text: string) => {
      const [before, after = ''] = text.split('.');
      return BigInt(before + after.padEnd(12, '0'));
    };
    fc.assert(
      fc.property(decimal, decimal, (one, other) => {
        const difference = scaled(one) - scaled(other);
        expect(Math.sign(compareDecimals(one, other))).to.equal(
          difference > 0n ? 1 : difference < 0n ? -1 : 0,
        );
      }),
    );
    expect(compareDecimals('1.50', '1.5')).to.equal(0);
    expect(compareDecimals('0.10000000000000000001', '0.1')).to.be.above(0);
  });

  it('accept symbols of 1 to 32 letters, digits and . ^ = _ -', () => {
    for (const text of ['A', 'BRK.B', '^GSPC', 'EURUSD=X', 'BF-B', '0005_HK', 'x'.repeat(32)]) {
      expect(symbolFault(text), text).to.equal(undefined);
    }
    expect(symbolFault('')).to.equal('is empty');
    for (const text of ['x'.repeat(33), 'A B', 'A/B', 'É', 'A\n', 'A\t', "A'"]) {
      expect(symbolFault(text), JSON.stringify(text)).to.contain('must have 1 to 32 characters');
    }
  });

  it('accept calendar dates up to today', () => {
    expect(dateFault('2020-02-29', TODAY)).to.equal(undefined);
    expect(dateFault(TODAY, TODAY)).to.equal(undefined);
    expect(dateFault('2026-11-22', TODAY)).to.equal('is after today, 2026-11-21 (UTC)');
    for (const text of ['2021-02-29', '2020-13-01', '20200101', '2020-1-1', '01/02/2020', '0000-01-01']) {
      expect(dateFault(text, TODAY), text).to.equal('is not a calendar date YYYY-MM-DD');
    }
  });

  it('accept names of 1 to 200 characters without control characters', () => {
    expect(textFault('Estée Lauder, "EL"')).to.equal(undefined);
    expect(textFault('  ')).to.equal('is empty');
    expect(textFault('a\u0000b')).to.equal('has control characters');
    expect(textFault('x'.repeat(201))).to.equal('has more than 200 characters');
  });
});
