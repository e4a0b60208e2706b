import { expect } from 'chai';
import fc from 'fast-check';
import { addDays } from '#lib/core/date.ts';
import { periodName, readPeriod } from '#lib/data/period.ts';

const day = fc.integer({ min: 0, max: 80_000 }).map((days) => addDays('1900-01-01', days));

describe('the name of a period', () => {
  it('determines its frequency and its last day', () => {
    const cases: [string, string, string][] = [
      ['2024', 'yearly', '2024-12-31'],
      ['2024-Q1', 'quarterly', '2024-03-31'],
      ['2024-Q4', 'quarterly', '2024-12-31'],
      ['2024-02', 'monthly', '2024-02-29'],
      ['2023-02', 'monthly', '2023-02-28'],
      ['2024-W01', 'weekly', '2024-01-07'],
      ['2021-W01', 'weekly', '2021-01-10'],
      ['2020-W53', 'weekly', '2021-01-03'],
      ['2026-W53', 'weekly', '2027-01-03'],
      ['2024-02-29', 'daily', '2024-02-29'],
    ];
    for (const [name, frequency, lastDay] of cases) {
      expect(readPeriod(name), name).to.deep.equal({ frequency, lastDay });
    }
  });

  it('is invalid if the calendar has no such period', () => {
    for (const text of [
      '',
      '24',
      '0000',
      '2024-Q0',
      '2024-Q5',
      '2024-13',
      '2024-00',
      '2024-W00',
      '2024-W53',
      '2023-W53',
      '2024-W54',
      '2023-02-29',
      '2024-3',
      '2024Q1',
      '2024-q1',
      ' 2024',
    ]) {
      expect(readPeriod(text), text).to.equal(undefined);
    }
  });

  it('is the same after conversion to frequency and last day, and back', () => {
    for (let year = 1990; year < 2060; year++) {
      const names = [
        `${year}`,
        ...[1, 2, 3, 4].map((quarter) => `${year}-Q${quarter}`),
        ...Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`),
        ...Array.from({ length: 52 }, (_, at) => `${year}-W${String(at + 1).padStart(2, '0')}`),
        `${year}-06-15`,
      ];
      for (const name of names) expect(periodName(readPeriod(name)!)).to.equal(name);
    }
  });

  it('of the ISO week that ends on a Sunday is converted back to that Sunday', () => {
    fc.assert(
      fc.property(day, (date) => {
        const sunday = addDays(date, (7 - new Date(`${date}T00:00:00Z`).getUTCDay()) % 7);
        expect(readPeriod(periodName({ frequency: 'weekly', lastDay: sunday }))).to.deep.equal({
          frequency: 'weekly',
          lastDay: sunday,
        });
      }),
    );
  });
});
