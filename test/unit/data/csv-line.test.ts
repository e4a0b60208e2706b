import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { joinCsvLine, splitCsvLine } from '#lib/data/import/readers/csv-line.ts';
import { repetitions } from '../../support/repetitions.ts';

/** Generates fields with characters that have a meaning in CSV. */
const field = fc.string({
  unit: fc.constantFrom('a', 'é', '1', ' ', ',', '"', '""', '\t', '\\'),
  maxLength: 8,
});
const line = fc.string({ unit: fc.constantFrom('a', ',', '"', ' '), minLength: 1, maxLength: 12 });

describe('a line of CSV', () => {
  it('is split into the fields from which it was joined', () => {
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 6 }), (fields) => {
        expect(splitCsvLine(joinCsvLine(fields))).to.deep.equal(fields);
      }),
    );
  });

  // csv-parse is an independent implementation of RFC 4180.
  it('is read or rejected in the same way as by csv-parse', () => {
    fc.assert(
      fc.property(line, (text) => {
        expect(splitCsvLine(text)).to.deep.equal(readByCsvParse(text));
      }),
      { numRuns: repetitions.roundTrips },
    );
  });

  it('is rejected if a quote is not closed on the line or does not enclose a whole field', () => {
    for (const text of ['"a,b', 'a,"b', 'a"b', 'a"b"', '"a"b,c', '"a""', '"', 'a,"', '"a" ,b']) {
      expect(splitCsvLine(text), text).to.equal(undefined);
    }
  });

  it('is split without loss of spaces and empty fields', () => {
    expect(splitCsvLine(' a ,,"",b')).to.deep.equal([' a ', '', '', 'b']);
    expect(splitCsvLine(',')).to.deep.equal(['', '']);
  });
});

function readByCsvParse(text: string): string[] | undefined {
  try {
    return (parse(text, { record_delimiter: '\n' }) as string[][])[0];
  } catch {
    return undefined;
  }
}
