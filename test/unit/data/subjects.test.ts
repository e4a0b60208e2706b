import { expect } from 'chai';
import { readHeader } from '#lib/data/import/readers/columns.ts';
import { corporateActions } from '#lib/data/import/kinds/corporate-actions.ts';
import { economics } from '#lib/data/import/kinds/economics.ts';
import type { ObservationKind } from '#lib/data/import/kinds/observation-kind.ts';
import { prices } from '#lib/data/import/kinds/prices.ts';

const TIME = { now: new Date('2026-11-21T12:00:00Z'), today: '2026-11-21' };
const files: [ObservationKind, string, string][] = [
  [prices, 'symbol,date,close', '2020-09-30,1'],
  [economics, 'series,date,value', '2020-09-30,1'],
  [corporateActions, 'symbol,ex_date,type,amount', '2020-09-30,cash_dividend,1'],
];

// The parser does not check a subject again if the previous row has the same subject. It must check the
// subject of the first row and of a row after a faulty row.
describe('the subject of an imported row', () => {
  for (const [kind, header, rest] of files) {
    it(`is required and checked in every row for the table ${kind.table}`, () => {
      const parse = kind.parser(readHeader(header.split(','), kind.columns, 1), TIME);
      const faults: string[] = [];
      const rows = ['', 'A', '', 'A', 'A b'].map((subject, at) =>
        parse([subject, ...rest.split(',')], at + 2, (column, value) => faults.push(`${column} ${value}`)),
      );
      expect(rows.map((row) => row !== undefined)).to.deep.equal([false, true, false, true, false]);
      expect(faults).to.deep.equal(['', '', 'A b'].map((value) => `${kind.columns.required[0]} ${value}`));
    });
  }
});
