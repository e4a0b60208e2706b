import { expect } from 'chai';
import fc from 'fast-check';
import { holidayCalendars, holidaysOf, type HolidayCalendar } from '#lib/forecasting/calendar/holidays.ts';
import { specialDays } from '#lib/forecasting/calendar/special-days.ts';
import { isWeekend } from '#lib/forecasting/calendar/dates-of-year.ts';

const datesOf = (calendar: HolidayCalendar, year: number) =>
  holidaysOf(calendar, year)
    .map(({ date }) => date)
    .sort();

describe('holidays', () => {
  // U.S. Office of Personnel Management, "Federal Holidays", 2021 and 2023: days off.
  it('of US include the federal days off as published', () => {
    expect(datesOf('US', 2021)).to.include.members([
      '2021-01-01',
      '2021-01-18',
      '2021-02-15',
      '2021-05-31',
      '2021-06-18',
      '2021-07-05',
      '2021-09-06',
      '2021-10-11',
      '2021-11-11',
      '2021-11-25',
      '2021-12-24',
    ]);
    expect(datesOf('US', 2022), "New Year's Day on a Saturday").to.include('2021-12-31');
    expect(datesOf('US', 2023)).to.deep.equal([
      '2023-01-01',
      '2023-01-02',
      '2023-01-16',
      '2023-02-20',
      '2023-05-29',
      '2023-06-19',
      '2023-07-04',
      '2023-09-04',
      '2023-10-09',
      '2023-11-10',
      '2023-11-11',
      '2023-11-23',
      '2023-12-25',
    ]);
    expect(datesOf('US', 2020), 'Juneteenth began in 2021').to.not.include('2020-06-19');
  });

  // GOV.UK, "UK bank holidays", England and Wales: 2021, 2023, 2024; 2022 without the Platinum Jubilee and the funeral.
  it('of GB include the bank holidays as published', () => {
    const expected: [number, string[]][] = [
      [2021, ['01-01', '04-02', '04-05', '05-03', '05-31', '08-30', '12-27', '12-28']],
      [2023, ['01-02', '04-07', '04-10', '05-01', '05-29', '08-28', '12-25', '12-26']],
      [2024, ['01-01', '03-29', '04-01', '05-06', '05-27', '08-26', '12-25', '12-26']],
    ];
    for (const [year, days] of expected) {
      const found = datesOf('GB', year).filter((date) => !isWeekend(date));
      expect(found).to.deep.equal(days.map((day) => `${year}-${day}`));
    }
    expect(datesOf('GB', 2022)).to.include.members(['2022-01-03', '2022-12-26', '2022-12-27']);
  });

  // Federal Ministry of the Interior, "Nationale Feiertage in Deutschland"; Code du travail, article L3133-1.
  it('of DE and FR follow Easter as published for 2024', () => {
    expect(datesOf('DE', 2024)).to.deep.equal([
      '2024-01-01',
      '2024-03-29',
      '2024-04-01',
      '2024-05-01',
      '2024-05-09',
      '2024-05-20',
      '2024-10-03',
      '2024-12-25',
      '2024-12-26',
    ]);
    expect(datesOf('FR', 2024)).to.deep.equal([
      '2024-01-01',
      '2024-04-01',
      '2024-05-01',
      '2024-05-08',
      '2024-05-09',
      '2024-05-20',
      '2024-07-14',
      '2024-08-15',
      '2024-11-01',
      '2024-11-11',
      '2024-12-25',
    ]);
  });

  // NYSE, "Holidays and Trading Hours", 2023; European Central Bank, "TARGET closing days", 2024.
  it('of nyse and target are the closing days as published', () => {
    expect(datesOf('nyse', 2023)).to.deep.equal([
      '2023-01-02',
      '2023-01-16',
      '2023-02-20',
      '2023-04-07',
      '2023-05-29',
      '2023-06-19',
      '2023-07-04',
      '2023-09-04',
      '2023-11-23',
      '2023-12-25',
    ]);
    expect(datesOf('nyse', 2022), "New Year's Day on a Saturday has no substitute").to.have.lengthOf(9);
    expect(datesOf('target', 2024)).to.deep.equal([
      '2024-01-01',
      '2024-03-29',
      '2024-04-01',
      '2024-05-01',
      '2024-12-25',
      '2024-12-26',
    ]);
  });

  it('that are observed on another day are observed on a weekday of the same week or the next', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...holidayCalendars),
        fc.integer({ min: 1980, max: 2100 }),
        (calendar, year) => {
          const byName = Object.groupBy(holidaysOf(calendar, year), ({ name }) => name);
          for (const days of Object.values(byName)) {
            if (days!.length === 1) continue;
            const [actual, observed] = days!;
            expect(days).to.have.lengthOf(2);
            expect(isWeekend(actual!.date)).to.equal(true);
            expect(isWeekend(observed!.date)).to.equal(false);
          }
        },
      ),
    );
  });
});

describe('specialDays', () => {
  it('names holidays, and the days before and after them', () => {
    const days = specialDays(['DE'], '2024-12-23', 6);
    expect(days).to.deep.equal([
      null,
      { group: 'day_before', name: 'christmas_day' },
      { group: 'holiday', name: 'christmas_day' },
      { group: 'holiday', name: 'boxing_day' },
      { group: 'day_after', name: 'boxing_day' },
      null,
    ]);
  });

  it('puts holidays on a weekend into a group of their own', () => {
    expect(specialDays(['US'], '2023-11-10', 2)).to.deep.equal([
      { group: 'holiday', name: 'veterans_day' },
      { group: 'holiday_on_weekend', name: 'veterans_day' },
    ]);
  });

  it("finds holidays whose neighbours are in another year, and New Year's Day observed in December", () => {
    expect(specialDays(['US'], '2021-12-30', 3).map((day) => day?.group)).to.deep.equal([
      'day_before',
      'holiday',
      'holiday_on_weekend',
    ]);
    expect(specialDays(['DE'], '2023-12-31', 1)[0]).to.deep.equal({ group: 'day_before', name: 'new_year' });
  });

  it('names a day after the first calendar that has it', () => {
    const [day] = specialDays(['GB', 'DE'], '2023-05-01', 1);
    expect(day).to.deep.equal({ group: 'holiday', name: 'early_may' });
    expect(specialDays(['DE', 'GB'], '2023-05-01', 1)[0]).to.deep.equal({
      group: 'holiday',
      name: 'labour_day',
    });
  });
});
