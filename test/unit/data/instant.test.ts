import { expect } from 'chai';
import { isSameMoment, readKnownAt, readPublishedAt } from '#lib/data/import/readers/instant.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

describe('dates and times in an imported file', () => {
  it('are read as the end of the day if a date states when data became known', () => {
    expect(readKnownAt('2020-09-30', NOW)).to.deep.equal({
      text: '2020-09-30 23:59:59.999999+00',
      date: '2020-09-30',
    });
  });

  it('are read as the start of the day if a date states when data were published', () => {
    expect(readPublishedAt('2020-09-30', NOW)).to.deep.equal({
      text: '2020-09-30T00:00:00Z',
      date: '2020-09-30',
    });
  });

  it('keep their offset and belong to the day in UTC', () => {
    const texts = ['2020-10-01T01:30:00+02:00', '2020-09-30 23:30:00.123456Z', '2020-09-30T09:30-14:00'];
    for (const text of texts)
      expect(readKnownAt(text, NOW), text).to.deep.equal({ text, date: '2020-09-30' });
  });

  it('are rejected if they are in the future, except for the date of today', () => {
    expect(readKnownAt('2026-11-21', NOW)).to.be.an('object');
    expect(readKnownAt('2026-11-22', NOW)).to.equal('is in the future');
    expect(readKnownAt('2026-11-21T12:00:00Z', NOW)).to.be.an('object');
    expect(readKnownAt('2026-11-21T12:00:01Z', NOW)).to.equal('is in the future');
    expect(readPublishedAt('2026-11-22', NOW)).to.equal('is in the future');
  });

  it('are rejected without an offset, with an invalid date, time or offset, or with more than 6 decimals of a second', () => {
    for (const text of [
      '',
      '2020-09-30T10:00:00',
      '2020-02-30T10:00:00Z',
      '2020-09-30T24:00:00Z',
      '2020-09-30T10:60:00Z',
      '2020-09-30T10:00:60Z',
      '2020-09-30T10:00:00.1234567Z',
      '2020-09-30T10:00:00+15:00',
      '0000-01-01',
      '30.09.2020',
    ]) {
      expect(readKnownAt(text, NOW), text).to.equal(
        'is neither a date nor an instant such as 2020-09-30T16:00:00Z',
      );
    }
  });

  it('are equal if different notations state the same instant', () => {
    const moment = (text: string) => readPublishedAt(text, NOW) as { text: string; date: string };
    expect(isSameMoment(moment('2020-09-30'), moment('2020-09-30T02:00:00+02:00'))).to.equal(true);
    expect(isSameMoment(moment('2020-09-30'), moment('2020-09-30T00:00:00.001Z'))).to.equal(false);
    expect(isSameMoment(undefined, undefined)).to.equal(true);
    expect(isSameMoment(moment('2020-09-30'), undefined)).to.equal(false);
  });
});
