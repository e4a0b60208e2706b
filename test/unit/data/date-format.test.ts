import { expect } from 'chai';
import { dateReader, isDateFormat } from '#lib/data/import/readers/date-format.ts';

describe('date formats', () => {
  it('are valid only if they contain year, month and day, each once', () => {
    for (const format of ['YYYY-MM-DD', 'MM/DD/YYYY', 'DD.MM.YYYY', 'D.M.YYYY', 'YYYYMMDD'])
      expect(isDateFormat(format), format).to.equal(true);
    for (const format of [
      '',
      'YYYY-MM',
      'YY-MM-DD',
      'DD/MM/YYYY/DD',
      'MMM D YYYY',
      'YYYY-MM-DD hh',
      'dd.mm.yyyy',
    ])
      expect(isDateFormat(format), format).to.equal(false);
  });

  it('accept exactly the texts in the declared format', () => {
    expect(dateReader('MM/DD/YYYY')('02/29/2020')).to.equal('2020-02-29');
    expect(dateReader('D.M.YYYY')('3.2.2020')).to.equal('2020-02-03');
    expect(dateReader('D.M.YYYY')('13.12.2020')).to.equal('2020-12-13');
    expect(dateReader('YYYYMMDD')('20200203')).to.equal('2020-02-03');
    for (const text of [
      '2/29/2020',
      '02-29-2020',
      '02/29/20',
      ' 02/29/2020',
      '02/29/2020 00:00',
      '',
      '02x29x2020',
    ])
      expect(dateReader('MM/DD/YYYY')(text), text).to.equal(undefined);
    expect(dateReader('DD.MM.YYYY')('03x02x2020')).to.equal(undefined);
  });
});
