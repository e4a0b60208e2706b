import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';

const SERIES = '/data/economics/series';

/** Real gross domestic product as ALFRED gave it on two days of 2024. */
const ALFRED = [
  'observation_date,GDPC1_20240215,GDPC1_20240615',
  '2023-07-01,22490.692,22490.692',
  '2023-10-01,22672.859,22679.255',
  '2024-01-01,.,22749.846',
];

onOneBackend('/data/economics/series', (live) => {
  let tenancy: Tenancy;

  before(async () => {
    tenancy = await buildTenancy(live());
    await importCsv(live(), tenancy.workspace, 'economics', ALFRED);
  });

  const get = async (path: string, key = tenancy.key) =>
    (await clientOf(live(), key).get(`${SERIES}${path}`)).body;

  /** `day value`, in the order of the answer. */
  const observed = async (query: string, key = tenancy.key) => {
    const { data } = await get(`/GDPC1/observations${query}`, key);
    return data.map(
      (each: { observed_on: string; value: string | null }) => `${each.observed_on} ${each.value}`,
    );
  };

  it('200 answers with what was known by the end of a day, and with the last vintage without one', async () => {
    expect(await observed('?as_of=2024-02-14')).to.deep.equal([]);
    expect(await observed('?as_of=2024-02-15')).to.deep.equal([
      '2023-07-01 22490.692',
      '2023-10-01 22672.859',
    ]);
    const latest = ['2023-07-01 22490.692', '2023-10-01 22679.255', '2024-01-01 22749.846'];
    expect(await observed('?as_of=2024-06-15')).to.deep.equal(latest);
    expect(await observed('')).to.deep.equal(latest);
    expect(await observed('?from=2023-10-01&to=2023-10-01')).to.deep.equal([latest[1]]);
  });

  it('200 tells the first release and every vintage, with the moment each was known', async () => {
    expect(await observed('?vintage=first')).to.deep.equal([
      '2023-07-01 22490.692',
      '2023-10-01 22672.859',
      '2024-01-01 22749.846',
    ]);
    const { data } = await get('/GDPC1/observations?vintage=all&from=2023-10-01&to=2023-10-01');
    expect(data).to.deep.equal([
      {
        observed_on: '2023-10-01',
        value: '22672.859',
        known_at: '2024-02-15T23:59:59.999999Z',
        known_at_basis: 'stated',
        superseded: true,
      },
      {
        observed_on: '2023-10-01',
        value: '22679.255',
        known_at: '2024-06-15T23:59:59.999999Z',
        known_at_basis: 'stated',
        superseded: false,
      },
    ]);
    const then = await get('/GDPC1/observations?vintage=all&as_of=2024-03-01&from=2023-10-01');
    expect(then.data.map((each: { superseded: boolean }) => each.superseded)).to.deep.equal([false]);
  });
});
