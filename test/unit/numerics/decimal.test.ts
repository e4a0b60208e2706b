import { expect } from 'chai';
import fc from 'fast-check';
import { parseDecimal } from '#lib/numerics/decimal.ts';

describe('parseDecimal', () => {
  it('gives the same bits as Number on short decimals', () => {
    const digits = fc.stringMatching(/^[0-9]{1,9}$/);
    fc.assert(
      fc.property(digits, digits, (whole, fraction) => {
        expect(parseDecimal(whole)).to.equal(Number(whole));
        expect(parseDecimal(`${whole}.${fraction}`)).to.equal(Number(`${whole}.${fraction}`));
      }),
    );
  });

  // Division of an integer by a power of ten is exact only up to 15 digits. With more digits it would round
  // twice.
  it('gives the same bits as Number on long decimals, signs and exponents', () => {
    const digits = fc.stringMatching(/^[0-9]{6,25}$/);
    fc.assert(
      fc.property(
        digits,
        digits,
        fc.constantFrom('', '-'),
        fc.integer({ min: -40, max: 40 }),
        (a, b, sign, e) => {
          for (const text of [`${sign}${a}.${b}`, `${sign}${a}`, `${sign}${a}.${b}e${e}`]) {
            expect(parseDecimal(text)).to.equal(Number(text));
          }
        },
      ),
    );
    expect(parseDecimal('9007199254740993')).to.equal(9007199254740992);
    expect(parseDecimal('0.000000000000001')).to.equal(1e-15);
    expect(parseDecimal('1E+2')).to.equal(100);
  });

  it('throws on texts that are not plain decimals, even if Number accepts the text', () => {
    for (const text of [
      '',
      ' ',
      ' 1',
      '1 ',
      '1,5',
      '0x10',
      '1_000',
      '+1',
      '--1',
      '.5',
      '5.',
      '.',
      '-',
      '1.2.3',
      'NaN',
      'Infinity',
      'abc',
      '1e',
      '1e999',
      '१',
    ]) {
      expect(() => parseDecimal(text), text).to.throw(RangeError, 'not a decimal number');
    }
  });
});
