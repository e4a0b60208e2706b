import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { methodCatalogue } from '#lib/forecasting/engine/method-catalogue.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';

const values = Array.from({ length: 36 }, (_, at) => 100 + 2 * at + [8, 3, -4, -7, -3, 3][at % 6]!);
const series = { values, start: '2021-01', frequency: 'monthly' };

type Row = Record<string, any>;

onOneBackend('the run of a statistical model', (live) => {
  let tenancy: Tenancy;
  let client: Client;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
  });

  const run = async (key: string, body: object, headers = {}) => {
    const answer = await client.post(`/quant/models/${key}/run`, body, headers);
    return { status: answer.status, headers: answer.headers, body: answer.body as Row };
  };
  const faults = (body: Row) => body['errors'].map(({ pointer, code }: Row) => [pointer, code]);

  it('200 lists every method with its bounds', async () => {
    const { body } = await client.get('/quant/models?kind=statistical&limit=200');
    const keys = body.data.map(({ key }: Row) => key);
    expect(keys).to.have.members(methodCatalogue.map(({ key }) => key));
    expect(body.data[0]).to.include({ runs_at: '/api/v2/quant/model-runs', scope: 'quant:models:run' });
    const ets = (await client.get('/quant/models/ets')).body;
    expect(ets.schemas.input.properties).to.include.keys('series', 'horizon', 'levels');
    expect(ets.limits).to.deep.equal(['Supported series: any series.']);
  });

  it('201 forecasts values by one method, and seals, reads, lists and replays the run', async () => {
    const { status, body, headers } = await run('ets', {
      version: '1.0.0',
      input: { series, horizon: 4, levels: [95, 80] },
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body['uid']).to.match(/^mrn_/);
    expect(headers.get('location')).to.equal(`/api/v2/quant/model-runs/${body['uid']}`);
    expect(checkSeal(body)).to.include({ intact: true });
    expect(body['input']).to.deep.include({ model_key: 'ets', levels: [80, 95], metric: null, as_of: null });
    expect(body['result']).to.deep.include({
      method: 'ets',
      observations: 36,
      periods: ['2024-01', '2024-02', '2024-03', '2024-04'],
    });
    const weights = body['result'].methods.map(({ weight }: Row) => weight);
    expect(weights.filter((weight: number) => weight > 0)).to.deep.equal([1]);
    const read = await client.get(`/quant/model-runs/${body['uid']}?include=history`);
    expect(read.body.history).to.have.length(36);
    const listed = await client.get('/quant/model-runs?model=ets');
    expect(listed.body.data.map(({ uid, kind }: Row) => [uid, kind])).to.deep.equal([
      [body['uid'], 'statistical'],
    ]);
    expect((await client.get('/quant/models/ets')).body.sealed_runs).to.equal(1);
    expect((await client.get('/quant/models/naive')).body.sealed_runs).to.equal(0);
    const replay = await assay(live(), 'replay', body['uid'], '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
  });

  it('201 gives the last value by the naive method, and fills gaps', async () => {
    const gap = [...values.slice(0, 20), null, ...values.slice(21)];
    const { body } = await run('naive', { input: { series: { ...series, values: gap }, horizon: 2 } });
    expect(body['result'].points).to.deep.equal([values.at(-1), values.at(-1)]);
    expect(body['result'].series).to.include({ periods: 36, missing: 1 });
  });

  it('422 points to the members of the input that are not valid', async () => {
    const cases: [object, [string, string][]][] = [
      [{ series: {}, horizon: 2 }, [['/input/series/metric', 'required']]],
      [
        { series: { values }, horizon: 2 },
        [
          ['/input/series/frequency', 'required'],
          ['/input/series/start', 'required'],
        ],
      ],
      [
        { series: { ...series, metric: 'revenue' }, horizon: 2 },
        [
          ['/input/series/values', 'excluded'],
          ['/input/series/start', 'excluded'],
        ],
      ],
      [{ series: { ...series, start: '2021-Q1' }, horizon: 2 }, [['/input/series/start', 'period']]],
      [{ series: { ...series, start: '9999-01' }, horizon: 2 }, [['/input/series/start', 'period']]],
      [{ series: { ...series, values: [null, null] }, horizon: 2 }, [['/input/series/values', 'required']]],
      [{ series: { ...series, values: [1, 'NaN'] }, horizon: 2 }, [['/input/series/values/1', 'type']]],
      [{ series, horizon: 61 }, [['/input/horizon', 'maximum']]],
      [{ series, horizon: 2, levels: [100] }, [['/input/levels/0', 'exclusive_maximum']]],
      [
        { dataset_id: 1 },
        [
          ['/input/series', 'required'],
          ['/input/horizon', 'required'],
          ['/input/dataset_id', 'unknown_field'],
        ],
      ],
      [
        { series: { ...series, values: Array.from({ length: 2_001 }, () => 1) }, horizon: 2 },
        [['/input/series/values', 'max_items']],
      ],
    ];
    for (const [input, expected] of cases) {
      const { status, body } = await run('ets', { input });
      expect(status, JSON.stringify(input).slice(0, 100)).to.equal(422);
      expect(faults(body), JSON.stringify(body)).to.have.deep.members(expected);
    }
  });

  it('422 for a series that the method does not support, with a pointer below /input', async () => {
    const short = await run('ets', { input: { series: { ...series, values: [1, 2, 3] }, horizon: 2 } });
    expect([short.status, short.body['code']]).to.deep.equal([422, 'insufficient_history']);
    expect(short.body['errors'][0].pointer).to.equal('/input/series/values');
    const negative = values.map((value) => -value);
    const sparse = await run('croston', { input: { series: { ...series, values: negative }, horizon: 2 } });
    expect(sparse.body['code']).to.equal('method_not_applicable');
    const unknown = await run('ets', { input: { series: { metric: 'nothing' }, horizon: 2 } });
    expect(unknown.body['code']).to.equal('unknown_metric');
    expect(unknown.body['errors'][0]).to.include({ pointer: '/input/series/metric', in: 'body' });
  });

  it('404 for a version that does not exist, and for a run of another workspace', async () => {
    const answer = await run('ets', { version: '2.0.0', input: { series, horizon: 2 } });
    expect([answer.status, answer.body['code']]).to.deep.equal([404, 'not_found']);
    const { body } = await run('ets', { input: { series, horizon: 2 } });
    const stranger = clientOf(live(), (await buildTenancy(live())).key);
    expect((await stranger.get(`/quant/model-runs/${body['uid']}`)).status).to.equal(404);
    expect((await stranger.get('/quant/model-runs')).body.data).to.deep.equal([]);
  });
});
