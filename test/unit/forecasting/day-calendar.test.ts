import { expect } from 'chai';
import { businessDays } from '#lib/forecasting/calendar/day-calendar.ts';
import { easterSunday } from '#lib/forecasting/calendar/easter.ts';

describe('the calendars of business days', () => {
  it('are based on the correct date of Easter Sunday', () => {
    const known: [number, number, number][] = [
      [1818, 3, 22],
      [1943, 4, 25],
      [2000, 4, 23],
      [2008, 3, 23],
      [2011, 4, 24],
      [2024, 3, 31],
      [2025, 4, 20],
    ];
    for (const [year, month, day] of known) expect(easterSunday(year)).to.deep.equal([month, day]);
  });

  it('give the number of trading days that NYSE had in the year', () => {
    const trading: [number, number][] = [
      [2015, 252],
      [2019, 252],
      [2020, 253],
      [2021, 252],
      [2022, 251],
      [2023, 250],
      [2024, 252],
    ];
    for (const [year, days] of trading) {
      const counted = businessDays('nyse', `${year}-01`, 12).reduce((sum, month) => sum + month, 0);
      expect(counted, String(year)).to.equal(days);
    }
  });

  it('exclude the closing days of TARGET that fall on weekdays', () => {
    const closed = (year: number) => {
      const all = businessDays('weekdays', `${year}-01`, 12);
      return businessDays('target', `${year}-01`, 12).map((days, at) => all[at]! - days);
    };
    expect(closed(2024)).to.deep.equal([1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2]);
    expect(closed(2022)).to.deep.equal([0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1]);
  });
});
