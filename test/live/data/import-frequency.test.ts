import { expect } from 'chai';
import { backend, type Backend } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { importCsv } from '../../support/import.ts';

describe('the frequency of imported prices', () => {
  let live: Backend;
  before(async function () {
    this.timeout(60_000);
    live = await backend('postgres');
  });

  // A monthly series goes before a daily one, so a correction taken for one would hide all the daily prices.
  it('is that of the series which a small correction is about', async () => {
    const { workspace } = await buildTenancy(live);
    const daily = ['symbol,date,close', 'AAA,2020-06-15,10', 'AAA,2020-06-16,11'];
    expect(await importCsv(live, workspace, 'prices', daily)).to.include({ frequency: 'daily' });
    const correction = ['symbol,date,close', 'AAA,2020-06-15,10.5'];
    const report = await importCsv(live, workspace, 'prices', correction);
    expect(report).to.include({ frequency: 'daily' });
    expect(report.rows).to.include({ inserted: 0, corrected: 1 });
  });

  it('is monthly for one row a month of symbols that are new', async () => {
    const { workspace } = await buildTenancy(live);
    const rows = ['symbol,date,close', 'AAA,2020-06-30,10', 'AAA,2020-07-31,11'];
    expect(await importCsv(live, workspace, 'prices', rows)).to.include({ frequency: 'monthly' });
  });
});
