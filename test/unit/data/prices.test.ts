import { expect } from 'chai';
import { readHeader } from '#lib/data/import/readers/columns.ts';
import { ImportRefused } from '#lib/data/import/load/import-refused.ts';
import { prices } from '#lib/data/import/kinds/prices.ts';

const TIME = { now: new Date('2026-11-21T12:00:00Z'), today: '2026-11-21' };

/** Parses the given columns of a file. Returns the row, or the faults of the row. */
function read(header: string, row: string) {
  const parse = prices.parser(readHeader(header.split(','), prices.columns, 1), TIME);
  const faults: string[] = [];
  const staged = parse(row.split(','), 2, (column, value, reason) =>
    faults.push(`${column} ${value} ${reason}`),
  );
  return staged ?? faults;
}

describe('rows of prices', () => {
  it('are read by column name in any order of columns, and keep each decimal as written', () => {
    expect(read('close,volume,date,symbol', '28.70,100,2020-09-30,AAPL')).to.deep.equal({
      line: 2,
      subject: 'AAPL',
      observedOn: '2020-09-30',
      knownAt: undefined,
      isWithdrawn: false,
      values: '\t\\N\t\\N\t\\N\t28.70\t\\N\t100',
    });
  });

  it('may have no value except the close', () => {
    const header = 'symbol,date,open,high,low,close,adj_close,volume';
    expect(read(header, 'A,2020-09-30,,,,1,,')).to.have.property('values', '\t\\N\t\\N\t\\N\t1\t\\N\t\\N');
    expect(read(header, 'A,2020-09-30,1,1,1,,1,1')).to.deep.equal(['close  is empty']);
  });

  it('must have no values if they withdraw an observation', () => {
    const header = 'symbol,date,close,volume,withdrawn';
    expect(read(header, 'A,2020-09-30,,,true')).to.include({
      isWithdrawn: true,
      values: '\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N',
    });
    expect(read(header, 'A,2020-09-30,1,,true')).to.deep.equal([
      'close 1 must be empty, because the observation is withdrawn',
    ]);
    expect(read(header, 'A,2020-09-30,1,,no')).to.deep.equal(['withdrawn no is neither true nor false']);
    expect(read(header, 'A,2020-09-30,,,false')).to.deep.equal(['close  is empty']);
  });

  it('are rejected with all their faults at once', () => {
    expect(read('symbol,date,close,volume', 'A B,2020-02-30,0,-1')).to.deep.equal([
      'symbol A B must have 1 to 32 characters: letters, digits and . ^ = _ -',
      'date 2020-02-30 is not a calendar date YYYY-MM-DD',
      'close 0 is not above 0',
      'volume -1 is negative',
    ]);
    expect(read('symbol,date,close,volume', 'A,2020-09-30,1,0')).to.have.property('subject', 'A');
  });

  // Rounding by a vendor can move an open outside the range of the day. Rounding cannot explain a low above
  // the high.
  it('are rejected with a low above the high, but not with an open above the high', () => {
    const header = 'symbol,date,open,high,low,close';
    expect(read(header, 'A,2020-09-30,5,9,10,7')).to.deep.equal(['low 10 is above high, 9']);
    expect(read(header, 'A,2020-09-30,5,10,10.0,7')).to.have.property('subject', 'A');
    expect(read(header, 'FB,2020-10-28,278.79,278.4,268.59,269.57')).to.have.property('subject', 'FB');
  });

  it('are rejected if known_at is before the observed day or in the future', () => {
    const header = 'symbol,date,close,known_at';
    expect(read(header, 'A,2020-09-30,1,2020-10-02')).to.have.property(
      'knownAt',
      '2020-10-02 23:59:59.999999+00',
    );
    expect(read(header, 'A,2020-09-30,1,')).to.have.property('knownAt', undefined);
    expect(read(header, 'A,2020-09-30,1,2020-09-29')).to.deep.equal([
      'known_at 2020-09-29 is before the observed day, 2020-09-30',
    ]);
    expect(read(header, 'A,2020-09-30,1,2026-11-22')).to.deep.equal(['known_at 2026-11-22 is in the future']);
  });

  it('are rejected with all unknown, missing and repeated columns of the header at once', () => {
    expect(() => read('symbol,datum,open,open', 'A,2020-09-30,1,1'))
      .to.throw(ImportRefused)
      .with.property('errors')
      .that.deep.equals([
        {
          line: 1,
          column: 'datum',
          value: null,
          reason:
            'unknown column; known columns are symbol, date, close, open, high, low, adj_close, volume, known_at, withdrawn',
        },
        { line: 1, column: 'date', value: null, reason: 'required column is missing' },
        { line: 1, column: 'close', value: null, reason: 'required column is missing' },
        { line: 1, column: 'open', value: null, reason: 'column appears twice' },
      ]);
  });
});
