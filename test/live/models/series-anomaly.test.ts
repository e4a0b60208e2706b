import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { importNumericDataset } from '../../support/numeric-dataset.ts';

const ANOMALY = '/ml/anomaly';

onOneBackend('POST /ml/anomaly of a series', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
  });

  it('201 scores a series and its later values by seasonal residuals and by windows', async () => {
    const month = (at: number) =>
      100 + [0, 5, 9, 4, -3, -8, -6, -1, 2, 7, 3, -4][at % 12]! + ((at * 37) % 7) / 10;
    const series = Array.from({ length: 120 }, (_, at) => [month(at)]);
    const faulty = series.map(([value], at) => [at === 40 ? value! + 20 : at === 90 ? value! - 15 : value!]);
    const itself = await client.post(ANOMALY, { rows: faulty, period: 12 });
    expect(itself.status, JSON.stringify(itself.body)).to.equal(201);
    expect(itself.body.input).to.include({ method: 'stl_gesd', period: 12 });
    const { outliers, flagged } = itself.body.result;
    expect(outliers.map(({ row }: { row: number }) => row)).to.deep.equal([40, 90]);
    expect(flagged).to.equal(2);
    const ahead = [[month(120)], [month(121) + 20], [month(122)]];
    const followed = await client.post(ANOMALY, { reference: series, rows: ahead, period: 12 });
    expect(followed.body.result, JSON.stringify(followed.body)).to.deep.include({ scored: 3, flagged: 1 });
    expect(followed.body.result.strangest[0].row).to.equal(1);
    const windows = await client.post(ANOMALY, { rows: faulty, window: 12 });
    expect(windows.body.result, JSON.stringify(windows.body)).to.deep.include({
      method: 'matrix_profile',
      scored: 109,
    });
    const starts = windows.body.result.strangest.map(({ row }: { row: number }) => row);
    expect(starts[0]).to.be.within(29, 40);
    for (const [at, start] of starts.entries())
      for (const other of starts.slice(0, at)) expect(Math.abs(start - other)).to.be.at.least(12);
    const alike = await client.post(ANOMALY, { reference: series, rows: faulty.slice(30, 60), window: 12 });
    expect(alike.body.result, JSON.stringify(alike.body)).to.deep.include({ scored: 19, flagged: 11 });
  });

  it('422 rejects a dataset column that lacks a value', async () => {
    const day = (at: number) => `20${10 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-28`;
    const lines = Array.from({ length: 60 }, (_, at) => `${day(at)},${at % 12},${at === 30 ? '' : at}`);
    const id = await importNumericDataset(live(), tenancy, {
      name: 'series',
      lines: ['date,whole,holed', ...lines.toReversed()],
      units: 'whole=USD,holed=USD',
    });
    const whole = await client.post(ANOMALY, {
      dataset_id: id,
      columns: ['whole'],
      rows: [[9]],
      period: 12,
    });
    expect(whole.body.result, JSON.stringify(whole.body)).to.deep.include({ reference_rows: 60, flagged: 1 });
    const holed = await client.post(ANOMALY, { dataset_id: id, columns: ['holed'], period: 12 });
    expect([holed.status, holed.body.code, holed.body.observed]).to.deep.equal([422, 'too_many_gaps', 1]);
    const both = await client.post(ANOMALY, { dataset_id: id, period: 12 });
    expect(both.body.errors[0]).to.include({ pointer: '/columns', code: 'one_column' });
  });
});
