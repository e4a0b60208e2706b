import { expect } from 'chai';
import { backend, type Backend } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { importCsv } from '../../support/import.ts';

describe('the frequency of imported prices', () => {
  let live: Backend;
  before(async function () {
    live = await backend('postgres');
  });

  // A monthly series takes precedence over a daily series. If a correction of daily prices were taken for a
  // monthly series, it would hide all daily prices.
  it('is the frequency of the existing series if the file is a small correction', async () => {
    const { workspace } = await buildTenancy(live);
    const daily = ['symbol,date,close', 'AAA,2020-06-15,10', 'AAA,2020-06-16,11'];
    expect(await importCsv(live, workspace, 'prices', daily)).to.include({ frequency: 'daily' });
    const correction = ['symbol,date,close', 'AAA,2020-06-15,10.5'];
    const report = await importCsv(live, workspace, 'prices', correction);
    expect(report).to.include({ frequency: 'daily' });
    expect(report.rows).to.include({ inserted: 0, corrected: 1 });
  });

  it('is monthly for new symbols with one row a month', async () => {
    const { workspace } = await buildTenancy(live);
    const rows = ['symbol,date,close', 'AAA,2020-06-30,10', 'AAA,2020-07-31,11'];
    expect(await importCsv(live, workspace, 'prices', rows)).to.include({ frequency: 'monthly' });
  });

  it('is derived from the distance between the days in the file, for any dataset and columns', async () => {
    const { workspace } = await buildTenancy(live);
    const guess = async (lines: readonly string[], header = 'symbol,date,close') =>
      (await importCsv(live, workspace, 'prices', [header, ...lines])).frequency;
    expect(await guess(['AAA,2020-06-15,10', 'AAA,2020-06-16,11'])).to.equal('daily');
    const monthly = ['AAA,2020-04-30,10', 'AAA,2020-05-29,11', 'AAA,2020-07-31,12', 'AAA,2020-08-31,13'];
    expect(await guess(monthly)).to.equal('monthly');
    const course = ['BBB,2020-05-01,10,9', 'BBB,2020-06-01,11,10', 'BBB,2020-07-02,12,11'];
    expect(await guess(course, 'symbol,date,close,low')).to.equal('monthly');
  });

  it('is daily for corrections of a daily series, even if their days are a month apart', async () => {
    const { workspace } = await buildTenancy(live);
    const guess = async (lines: readonly string[], header = 'symbol,date,close') =>
      (await importCsv(live, workspace, 'prices', [header, ...lines])).frequency;
    await guess(['AAA,2020-06-15,10', 'AAA,2020-06-16,11', 'AAA,2020-07-15,12']);
    expect(await guess(['AAA,2020-06-15,10.5', 'AAA,2020-07-15,12.5'])).to.equal('daily');
    expect(await guess(['AAA,2020-05-29,1', 'AAA,2020-09-30,2'])).to.equal('daily');
    expect(await guess(['CCC,2020-06-30,10,9'], 'symbol,date,close,low')).to.equal('daily');
  });
});
