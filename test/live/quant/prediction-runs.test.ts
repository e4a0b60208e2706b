import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { FACTORS, MONTHLY_RETURNS, serveModel, writeModel } from '../../support/numeric-model.ts';

const options = ['--family', 'ridge', '--target', 'JPM', '--horizon', '0'];

onOneBackend('POST /quant/models/{key}/run of a prediction or tournament model', (live) => {
  it('201 predicts from a dataset or from rows, replays, and refuses input that the model cannot read', async () => {
    const tenancy = await buildTenancy(live());
    const client = clientOf(live(), tenancy.key);
    const { key, dataset } = await serveModel(live(), tenancy, { key: 'jpm', options });
    const run = async (body: object, as = client) => {
      const answer = await as.post(`/quant/models/${key}/run`, body);
      return { status: answer.status, body: answer.body as Record<string, any> };
    };
    const { body: shown } = await client.get(`/quant/models/${key}`);
    expect(shown).to.include({ kind: 'prediction', state: 'active', runs_at: '/api/v2/quant/model-runs' });
    expect(shown.schemas.input.properties).to.have.any.keys('dataset_id');

    const { status, body } = await run({ version: 1, input: { dataset_id: dataset, latest: 3 } });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body['uid']).to.match(/^mrn_/);
    expect(checkSeal(body)).to.include({ intact: true });
    expect(body['result']).to.include({ target: 'JPM', horizon: 0, family: 'ridge' });
    expect(body['result'].predictions).to.have.length(3);
    const { body: read } = await client.get(`/quant/model-runs/${body['uid']}?include=history`);
    expect(read.result_hash).to.equal(body['result_hash']);
    const replay = await assay(live(), 'replay', body['uid'], '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });

    const names = MONTHLY_RETURNS[0]!.split(',').slice(1);
    const rows = MONTHLY_RETURNS.slice(-3).map((line) => {
      const [date, ...values] = line.split(',');
      const named = Object.fromEntries(names.map((name, at) => [name, Number(values[at])]));
      return { date, values: Object.fromEntries(FACTORS.map((name) => [name, named[name]])) };
    });
    const given = await run({ input: { rows, latest: 3 } });
    expect(given.status, JSON.stringify(given.body)).to.equal(201);
    expect(given.body['result'].predictions).to.deep.equal(body['result'].predictions);

    const { body: listed } = await client.get(`/quant/model-runs?model=${key}&kind=prediction`);
    expect(listed.data).to.have.length(2);
    expect(listed.data[0]).to.include({ model: key, href: `/api/v2/quant/model-runs/${given.body['uid']}` });
    expect((await client.get(`/quant/models/${key}`)).body.sealed_runs).to.equal(2);

    const faults = (of: { body: Record<string, any> }) =>
      of.body['errors'].map(({ pointer }: { pointer: string }) => pointer);
    for (const [wrong, pointer] of [
      [{}, '/input/dataset_id'],
      [{ dataset_id: 999_999 }, '/input/dataset_id'],
      [{ dataset_id: dataset, latest: 0 }, '/input/latest'],
      [{ rows: [] }, '/input/rows'],
      [{ rows: [{ date: '2024-01-31', values: {} }] }, '/input/rows/0/values'],
      [{ rows: [{ ...rows[0], values: { ...rows[0]!.values, JPM: 'NaN' } }] }, '/input/rows/0/values/JPM'],
      [{ dataset_id: dataset, regime: 'calm' }, '/input/regime'],
    ] as const) {
      const refused = await run({ input: wrong });
      expect(refused.status, JSON.stringify(wrong)).to.equal(422);
      expect(faults(refused), JSON.stringify(wrong)).to.include(pointer);
    }
    const early = await run({ input: { dataset_id: dataset, as_of: '1900-01-01' } });
    expect([early.status, early.body['code']]).to.deep.equal([422, 'insufficient_history']);
    expect((await run({ version: 2, input: { dataset_id: dataset } })).status).to.equal(404);
    const draft = await writeModel(live(), tenancy, { key: 'draft', options });
    const refused = await client.post(`/quant/models/${draft.key}/run`, { input: { dataset_id: dataset } });
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'model_not_approved']);
    const stranger = clientOf(live(), (await buildTenancy(live())).key);
    expect((await run({ input: { dataset_id: dataset } }, stranger)).status).to.equal(404);
  });

  it('never answers a malformed tournament with a 5xx, and names the faulty member', async () => {
    const client = clientOf(live(), (await buildTenancy(live())).key);
    const good = {
      task: { kind: 'series', metrics: [{ metric: 'economics.NONE' }] },
      entries: [{ statistical: 'naive' }, { statistical: 'theta' }],
      horizon: 1,
    };
    const cases: [object, string][] = [
      [{ ...good, horizon: 0 }, '/horizon'],
      [{ ...good, horizon: 61 }, '/horizon'],
      [{ ...good, horizon: '1e999' }, '/horizon'],
      [{ ...good, entries: [] }, '/entries'],
      [{ ...good, entries: [...good.entries, { statistical: 'naive' }] }, '/entries/2'],
      [{ ...good, entries: [{ statistical: 'nothing' }] }, '/entries/0'],
      [{ ...good, entries: [{ statistical: 'naive', name: '../x' }] }, '/entries/0'],
      [{ ...good, entries: [{ statistical: 'naive', combination: true }] }, '/entries/0'],
      [
        {
          ...good,
          entries: Array.from({ length: 51 }, (_, at) => ({ statistical: 'naive', name: `n${at}` })),
        },
        '/entries',
      ],
      [{ ...good, task: { kind: 'series', metrics: [] } }, '/task'],
      [{ ...good, task: { kind: 'nothing' } }, '/task'],
      [
        { ...good, task: { kind: 'series', metrics: Array(2).fill(good.task.metrics[0]) } },
        '/task/metrics/1',
      ],
      [{ ...good, baseline: 'mean' }, '/baseline'],
      [{ ...good, loss: { pinball: { p: 1 } } }, '/loss'],
      [{ ...good, loss: 'sharpe' }, '/loss'],
      [{ ...good, origins: { most: 501 } }, '/origins/most'],
      [{ ...good, origins: { first: 7 } }, '/origins/first'],
      [{ ...good, window: { rolling: 7 } }, '/window'],
      [{ ...good, level: 1 }, '/level'],
      [{ ...good, resamples: 10_001 }, '/resamples'],
      [{ ...good, seed: -1 }, '/seed'],
      [{ ...good, live: { rounds: 1, open_hours: 721 } }, '/live/open_hours'],
      [{ ...good, surplus: 1 }, '/surplus'],
    ];
    for (const [body, pointer] of cases) {
      const answer = await client.post('/quant/model-tournaments', body);
      const text = `${pointer}: ${JSON.stringify(answer.body).slice(0, 400)}`;
      expect(answer.status, text).to.equal(422);
      const found = answer.body.errors.map((each: { pointer: string }) => each.pointer);
      expect(
        found.some((each: string) => each.startsWith(pointer)),
        text,
      ).to.equal(true);
    }
    const unknown = await client.post('/quant/model-tournaments', good);
    expect([unknown.status, unknown.body.code]).to.deep.equal([422, 'unknown_metric']);
  });
});
