import { expect } from 'chai';
import { columnsOf, readNumber } from '#lib/data/numeric-columns.ts';

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
});
