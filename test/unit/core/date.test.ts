import { expect } from 'chai';
import fc from 'fast-check';
import {
  addDays,
  addMonths,
  dateNumber,
  dateOfDayNumber,
  dayNumber,
  daysBefore,
  daysBetween,
  daysInMonth,
  firstDayOfMonth,
  isDate,
  lastCompletedMonth,
  lastDayOfMonth,
  monthIndex,
  monthOf,
  monthOfIndex,
  monthsBefore,
} from '#lib/core/date.ts';

const anyDay = fc.integer({ min: dayNumber('0000-01-01'), max: dayNumber('9999-12-31') });
const anyDate = anyDay.map(dateOfDayNumber);

describe('calendar dates', () => {
  it('agree with JavaScript dates for every day number', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const date = dateOfDayNumber(day);
        expect(date).to.equal(new Date(day * 86_400_000).toISOString().slice(0, 10));
        expect(dayNumber(date)).to.equal(day);
      }),
    );
  });

  it('follow each other without a gap for 400 years, including leap days', () => {
    let day = dayNumber('1999-12-31');
    for (let index = monthIndex('2000-01'); index < monthIndex('2400-01'); index += 1) {
      const month = monthOfIndex(index);
      expect(dayNumber(firstDayOfMonth(month))).to.equal(day + 1);
      day = dayNumber(lastDayOfMonth(month));
    }
    expect(daysBetween('2000-01-01', '2400-01-01')).to.equal(146_097);
  });

  it('have the same order as their date numbers, their day numbers and their texts', () => {
    fc.assert(
      fc.property(anyDate, anyDate, (a, b) => {
        expect(Math.sign(dateNumber(a) - dateNumber(b))).to.equal(Math.sign(dayNumber(a) - dayNumber(b)));
        expect(a < b).to.equal(dayNumber(a) < dayNumber(b));
      }),
    );
  });

  it('are correct after addition of days across months, years and leap days', () => {
    expect(addDays('2020-02-28', 2)).to.equal('2020-03-01');
    expect(addDays('2019-02-28', 1)).to.equal('2019-03-01');
    expect(addDays('2020-01-01', -1)).to.equal('2019-12-31');
    expect(daysBetween('2018-05-15', '2018-05-31')).to.equal(16);
    expect(daysBetween('2018-05-31', '2018-05-15')).to.equal(-16);
  });

  it('are never before the first date that PostgreSQL can store, for a look-back of any length', () => {
    expect(daysBefore('2020-03-01', 1)).to.equal('2020-02-29');
    expect(daysBefore('0001-01-05', 4)).to.equal('0001-01-01');
    expect(daysBefore('0001-01-05', 100_000)).to.equal('0001-01-01');
    expect(monthsBefore('2020-01', 1)).to.equal('2019-12');
    expect(monthsBefore('0001-03', 2_520)).to.equal('0001-01');
  });

  it('have day number 0 on 1970-01-01 and range from the year 0000 to the year 9999', () => {
    expect(dayNumber('1970-01-01')).to.equal(0);
    expect(dayNumber('2000-03-01')).to.equal(11_017);
    expect(dateOfDayNumber(dayNumber('0000-02-29'))).to.equal('0000-02-29');
    expect(() => addDays('9999-12-31', 1)).to.throw(RangeError);
    expect(() => addDays('0000-01-01', -1)).to.throw(RangeError);
    expect(() => dateOfDayNumber(0.5)).to.throw(RangeError);
  });

  it('are rejected if the text is not a valid date in the form YYYY-MM-DD', () => {
    for (const text of [
      '',
      '2020-2-03',
      '2020-02-30',
      '2019-02-29',
      '1900-02-29',
      '2020-00-10',
      '2020-13-01',
      '2020-04-31',
      '2020-01-00',
      '2020/01/01',
      '2020-01-01T00:00:00Z',
      ' 2020-01-1',
      '+2020-01-1',
      '20200-01-1',
      '２020-01-01',
    ]) {
      expect(isDate(text), text).to.equal(false);
      expect(() => dateNumber(text), text).to.throw(RangeError, 'YYYY-MM-DD');
    }
    expect(isDate('2000-02-29')).to.equal(true);
  });
});

describe('calendar months', () => {
  it('are added and subtracted across years', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 119_999 }), (index) => {
        expect(monthIndex(monthOfIndex(index))).to.equal(index);
      }),
    );
    expect(monthIndex('2020-09')).to.equal(24_248);
    expect(addMonths('2020-01', -1)).to.equal('2019-12');
    expect(addMonths('2019-12', 14)).to.equal('2021-02');
    expect(monthOf('2020-02-29')).to.equal('2020-02');
  });

  it('end on their last calendar day', () => {
    expect(lastDayOfMonth('2020-02')).to.equal('2020-02-29');
    expect(lastDayOfMonth('2100-02')).to.equal('2100-02-28');
    expect(lastDayOfMonth('2020-09')).to.equal('2020-09-30');
    expect(daysInMonth(2020, 12)).to.equal(31);
    expect(firstDayOfMonth('2020-12')).to.equal('2020-12-01');
  });

  it('are complete from their last day on, but not a day earlier', () => {
    expect(lastCompletedMonth('2020-10-28')).to.equal('2020-09');
    expect(lastCompletedMonth('2020-09-30')).to.equal('2020-09');
    expect(lastCompletedMonth('2020-09-29')).to.equal('2020-08');
    expect(lastCompletedMonth('2020-02-28')).to.equal('2020-01');
    expect(lastCompletedMonth('2020-02-29')).to.equal('2020-02');
    expect(lastCompletedMonth('2020-01-01')).to.equal('2019-12');
  });

  it('are rejected if the text or the month index is not valid', () => {
    for (const text of ['', '2020', '2020-1', '2020-13', '2020-00', '2020-01-01', '202-001']) {
      expect(() => monthIndex(text), text).to.throw(RangeError, 'YYYY-MM');
    }
    for (const index of [-1, 0.5, 120_000, Number.NaN])
      expect(() => monthOfIndex(index)).to.throw(RangeError);
    expect(() => daysInMonth(2020, 13)).to.throw(RangeError);
    expect(() => daysInMonth(2020, 0)).to.throw(RangeError);
  });
});
