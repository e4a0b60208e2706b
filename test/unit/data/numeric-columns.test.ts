import { expect } from 'chai';
import fc from 'fast-check';
import { columnsOf, readNumber, readNumberText } from '#lib/data/numeric-columns.ts';

describe('the columns of a numeric dataset', () => {
  it('have types derived from their names if no types are declared', () => {
    const columns = columnsOf(['date', 'symbol', 'x']) as { type: string }[];
    expect(columns.map(({ type }) => type)).to.deep.equal(['date', 'entity', 'number']);
    expect(columnsOf(['x', 'y'], [{ name: 'y', type: 'boolean', unit: 'flag' }])).to.deep.equal([
      { name: 'x', type: 'number', unit: null },
      { name: 'y', type: 'boolean', unit: 'flag' },
    ]);
  });

  it('are rejected without a number column, with invalid or repeated names, or with a wrong declaration', () => {
    const cases: [Parameters<typeof columnsOf>, RegExp][] = [
      [[['date']], /no column contains numbers/],
      [[['x', 'x']], /twice/],
      [[['x', '']], /not a valid column name/],
      [[['x'], [{ name: 'y' }]], /no column y/],
      [[['x', 'entity', 'symbol']], /two columns are of type entity/],
      [[['x', 'date'], [{ name: 'date', unit: 'day' }]], /has a unit but no numbers/],
    ];
    for (const [given, reason] of cases) expect(columnsOf(...given)).to.match(reason);
  });

  it('accept only numbers, integers and booleans in the documented formats', () => {
    for (const [text, number] of [
      ['', null],
      ['-0', 0],
      ['1e-3', 0.001],
      ['-12.50', -12.5],
      ['007', 7],
    ] as const) {
      const read = readNumber(text, 'number');
      expect(read === number && !Object.is(read, -0), text).to.equal(true);
    }
    for (const text of ['NaN', 'Infinity', '1e999', '0x10', '1,5', ' 1', '.5', '5.', '+1']) {
      expect(readNumber(text, 'number'), text).to.be.a('string');
    }
    expect(readNumber('1.5', 'integer')).to.be.a('string');
    expect(readNumber('9007199254740992', 'integer')).to.be.a('string');
    expect([readNumber('true', 'boolean'), readNumber('0', 'boolean')]).to.deep.equal([1, 0]);
    expect(readNumber('2', 'boolean')).to.be.a('string');
  });

  it('are read as the text that JavaScript writes for the number, whatever the format in the file', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 18 });
    const decimal = fc
      .tuple(fc.constantFrom('', '-'), digits, fc.constantFrom('', '.', '.000000'), digits)
      .map((parts) => parts.join(''));
    const known = [
      '',
      '-0',
      '0.0',
      '0.000001',
      '0.0000001',
      '1e-3',
      '007',
      '1.50',
      '999999999999999',
      '1x',
      '5.',
    ];
    fc.assert(
      fc.property(fc.oneof(decimal, fc.constantFrom(...known), fc.double().map(String)), (text) => {
        const number = readNumber(text, 'number');
        const expected = typeof number === 'string' ? { fault: number } : String(number);
        expect(readNumberText(text, 'number'), text).to.deep.equal(expected);
      }),
      { numRuns: 2_000 },
    );
    expect(readNumberText('1.5', 'integer')).to.deep.equal({ fault: 'is not an integer' });
    expect(readNumberText('true', 'boolean')).to.equal('1');
  });
});
