import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { importNumericDataset } from '../../support/numeric-dataset.ts';

const ANOMALY = '/ml/anomaly';
/**
 * Rows of revenue and cost that rise together. Each value of `ODD` is usual in its column, but the two values
 * are not usual together.
 */
const USUAL = Array.from({ length: 60 }, (_, at) => [100 + at, 50 + at / 2 + (at % 3)]);
const ODD = [105, 79];
const SERIES = USUAL.map(([revenue]) => [revenue!]);
const LONG = Array.from({ length: 20_000 }, (_, at) => [at % 9]);

onOneBackend('POST /ml/anomaly', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
  });

  it('201 flags anomalous rows with their reasons and replays to the same bytes', async () => {
    const request = {
      columns: ['revenue', 'cost'],
      rows: [USUAL[20]!, ODD, [100_000, 60]],
      reference: USUAL,
    };
    const { status, body } = await client.post(ANOMALY, { ...request, method: 'mahalanobis' });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    const { body: whole } = await client.get(`${ANOMALY}/${body.uid}?include=scores`);
    expect(whole.scores.map(({ flagged }: { flagged: boolean }) => flagged)).to.deep.equal([
      false,
      true,
      true,
    ]);
    expect(whole.scores[2].top_columns[0].column).to.equal('revenue');
    expect(body.result).to.deep.include({
      method: 'mahalanobis',
      reference_rows: 60,
      scored: 3,
      flagged: 2,
      left_out: 0,
      constant_columns: [],
    });
    expect(body.result.strangest[0].row).to.equal(2);
    expect((await assay(live(), 'replay', body.uid, '--json')).json).to.include({ identical: true });
  });

  it('201 scores the reference itself by each method if no rows are given', async () => {
    const rows = [...USUAL, [500, 500]];
    for (const method of [
      'rank_average',
      'robust_z',
      'tail_probability',
      'local_outlier_factor',
      'nearest_neighbour',
      'histogram',
      'isolation_forest',
    ]) {
      const { status, body } = await client.post(ANOMALY, { rows, method, neighbours: 5 });
      expect(status, `${method} ${JSON.stringify(body)}`).to.equal(201);
      const found = body.result.strangest.find(({ row }: { row: number }) => row === 60);
      expect(found?.p_value, method).to.be.at.most(3 / 61);
      const again = await client.post(ANOMALY, { rows, method, neighbours: 5 });
      expect(again.body.result_hash, method).to.equal(body.result_hash);
    }
  });

  it('201 uses a governed dataset as the reference without the rows that lack a value', async () => {
    const lines = [
      'date,revenue,cost',
      ...USUAL.map((row, at) => `20${10 + (at % 60)}-01-31,${row.join(',')}`),
      '2023-01-31,1,',
    ];
    const id = await importNumericDataset(live(), tenancy, {
      name: 'figures',
      lines,
      units: 'revenue=USD,cost=USD',
    });
    const { status, body } = await client.post(ANOMALY, {
      dataset_id: id,
      rows: [ODD],
      method: 'mahalanobis',
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.result).to.deep.include({ reference_rows: 60, left_out: 1, flagged: 1 });
    expect(body.input.columns).to.deep.equal(['revenue', 'cost']);
    const other = clientOf(live(), (await buildTenancy(live())).key);
    expect((await other.post(ANOMALY, { dataset_id: id })).status).to.equal(404);
    expect((await other.get(`${ANOMALY}/${body.uid}`)).status).to.equal(404);
    const unknown = await client.post(ANOMALY, { dataset_id: id, columns: ['profit'] });
    expect(unknown.body.errors[0]).to.include({ pointer: '/columns/0', code: 'unknown_column' });
  });

  it('409 rejects a dataset that is not governed', async () => {
    const id = await importNumericDataset(live(), tenancy, {
      name: 'raw',
      lines: ['a,b', ...USUAL.map((row) => row.join(','))],
    });
    const { status, body } = await client.post(ANOMALY, { dataset_id: id });
    expect([status, body.code]).to.deep.equal([409, 'dataset_not_governed']);
    expect(body.detail).to.contain('approval_missing');
  });

  it('422 points to values that are missing, of unequal length, out of range or too few', async () => {
    for (const [request, pointer, code] of [
      [{}, '/rows', 'required'],
      [{ rows: [[1, 2], [3]] }, '/rows/1', 'length'],
      [{ columns: ['a'], rows: [[1, 2]] }, '/rows/0', 'length'],
      [{ rows: USUAL, reference: USUAL, dataset_id: 1 }, '/reference', 'excluded'],
      [{ rows: USUAL, neighbours: 0 }, '/neighbours', 'minimum'],
      [{ rows: USUAL, false_discovery_rate: 0.9 }, '/false_discovery_rate', 'maximum'],
      [{ rows: USUAL, method: 'autoencoder' }, '/method', 'enum'],
      [{ rows: USUAL, period: 12 }, '/rows/0', 'one_column'],
      [{ columns: ['a', 'b'], rows: USUAL, window: 12 }, '/columns', 'one_column'],
      [{ rows: SERIES, method: 'stl_gesd' }, '/period', 'required'],
      [{ rows: SERIES, method: 'matrix_profile' }, '/window', 'required'],
      [{ rows: SERIES, window: 3 }, '/window', 'minimum'],
      [{ rows: SERIES, period: 1 }, '/period', 'minimum'],
      [{ rows: SERIES, period: 12, outlier_share: 0.5 }, '/outlier_share', 'maximum'],
      [{ rows: SERIES, period: 12, level: 0 }, '/level', 'minimum'],
      [{ rows: SERIES.slice(0, 11), reference: SERIES, window: 12 }, '/rows', 'length'],
      [{ rows: LONG, window: 1_000 }, '/window', 'too_large'],
    ] as const) {
      const { status, body } = await client.post(ANOMALY, request);
      expect([status, body.errors?.[0].pointer, body.errors?.[0].code], JSON.stringify(body)).to.deep.equal([
        422,
        pointer,
        code,
      ]);
    }
    const few = await client.post(ANOMALY, { rows: USUAL.slice(0, 10), method: 'nearest_neighbour' });
    expect([few.status, few.body.code, few.body.observed, few.body.needed]).to.deep.equal([
      422,
      'reference_too_small',
      10,
      21,
    ]);
    const short = await client.post(ANOMALY, { rows: SERIES.slice(0, 20), period: 12 });
    expect([short.status, short.body.code, short.body.observed, short.body.needed]).to.deep.equal([
      422,
      'reference_too_small',
      20,
      25,
    ]);
  });

  it('200 lists runs by method', async () => {
    const { body } = await client.get(`${ANOMALY}?method=histogram`);
    expect(body.data).to.have.length.greaterThan(0);
    for (const run of body.data) expect(run.method).to.equal('histogram');
  });
});
