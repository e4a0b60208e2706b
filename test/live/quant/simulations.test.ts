import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importSample } from '../../support/import.ts';
import { withFile } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';
import { serveModel } from '../../support/numeric-model.ts';

const SIMULATIONS = '/quant/compute/simulations';
const law = { kind: 'parametric', means: [0.005], covariance: [[0.0016]] };

onOneBackend('POST /quant/compute/simulations', (live) => {
  let tenancy: Tenancy;
  let client: Client;
  let key: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await importSample(live(), tenancy.workspace);
    ({ key } = await serveModel(live(), tenancy, { factors: ['KO', 'XOM'] }));
  });

  const post = async (body: object) => {
    const answer = await client.post(SIMULATIONS, body);
    return { status: answer.status, body: answer.body as Record<string, any> };
  };

  it('201 simulates a parametric source with flows and goals, and seals, lists and replays the run', async () => {
    const { status, body } = await post({
      source: law,
      horizon: 36,
      seed: 7,
      flows: [{ from: 1, to: 36, amount_minor: -500_000, indexed: true }],
      inflation: 0.02,
      goals: [{ name: 'Keep', at: 36, amount_minor: 90_000_000 }],
      withdrawal: { solve: 0.95 },
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    expect(body['input']).to.include({ paths: 10_000, seed: 7, initial_minor: 100_000_000 });
    expect(body['result'].fan).to.have.length(36);
    expect(body['result'].goals[0].probability).to.be.within(0.4, 0.9);
    expect(body['result'].withdrawal.amount_minor).to.be.greaterThan(0);
    const replay = await assay(live(), 'replay', body['uid'], '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
    expect((await client.get(`${SIMULATIONS}/${body['uid']}`)).body).to.deep.equal(body);
    const listed = await client.get(`${SIMULATIONS}?limit=1`);
    expect(listed.body.data[0]).to.include({ uid: body['uid'], horizon: 36, seed: 7 });
  });

  it('201 draws months from the history of symbols, or from an approved model', async () => {
    const source = { kind: 'history', symbols: ['KO', 'XOM'], to: '2020-09-30' };
    const { status, body } = await post({ source, weights: [0.7, 0.3], horizon: 24, seed: 1 });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body['result'].history.months).to.be.greaterThan(24);
    expect(body['result'].history.block).to.be.at.least(1);
    const { terminal, closed_form: form } = body['result'];
    expect(Math.abs(terminal.mean_minor - form.mean_minor)).to.be.below(5 * terminal.mean_error_minor);
    const modelled = await post({
      source: { kind: 'model', key, regime: 'calm' },
      horizon: 12,
      seed: 1,
    });
    expect(modelled.status, JSON.stringify(modelled.body)).to.equal(201);
    expect(modelled.body['input'].assets).to.deep.equal(['KO', 'XOM']);
    const replay = await assay(live(), 'replay', modelled.body['uid'], '--json');
    expect(replay.json, replay.stderr).to.include({ identical: true });
  });

  it('runs the simulation of a file on the command line, and plots the result', () =>
    withFile([tenancy.key], (keyFile) =>
      withFile(
        [JSON.stringify({ source: law, horizon: 24, seed: 2, withdrawal: { solve: 0.9 } })],
        async (file) => {
          const service = ['--url', live().url, '--key-file', keyFile];
          const { stdout, stderr } = await assay(live(), 'simulation', 'run', file, '--plot', ...service);
          expect(stderr).to.equal('');
          expect(stdout)
            .to.match(/^10000 paths of 24 months, asset_1/)
            .and.to.include('▒ 25 % to 75 %');
          expect(stdout)
            .to.match(/withdrawal that 90 % can pay/)
            .and.to.match(/sml_/);
          const { json } = await assay(live(), 'simulation', 'run', file, '--json', ...service);
          expect(checkSeal(json)).to.include({ intact: true });
          const refused = await assay(live(), 'simulation', 'run', keyFile, ...service);
          expect([refused.status, refused.stderr]).to.satisfy(
            ([status, text]: [number, string]) => status === 1 && text.startsWith('file_not_json: '),
          );
        },
      ),
    ));

  it('422 points to each member that is inconsistent with the others', async () => {
    const pointers = async (body: object) => {
      const answer = await post({ horizon: 12, ...body });
      expect([answer.status, answer.body['code']]).to.deep.equal([422, 'validation_failed']);
      return answer.body['errors'].map((each: { pointer: string }) => each.pointer) as string[];
    };
    const singular = {
      kind: 'parametric',
      means: [0, 0],
      covariance: [
        [0.04, 0.04],
        [0.04, 0.04],
      ],
    };
    expect(await pointers({ source: singular })).to.deep.equal(['/source/covariance']);
    const history = { kind: 'history', symbols: ['KO'], from: '2017-01-01', to: '2020-09-30', block: 120 };
    expect(await pointers({ source: history })).to.deep.equal(['/source/block']);
    const flows = [{ from: 1, to: 1, amount_minor: -100_000_001 }];
    expect(await pointers({ source: law, flows })).to.deep.equal(['/flows/0/amount_minor']);
    expect(await pointers({ source: law, weights: [0.5] })).to.deep.equal(['/weights']);
    expect(await pointers({ source: law, weights: [1], glide: [{ month: 1, weights: [1] }] })).to.deep.equal([
      '/glide',
    ]);
    const regime = await pointers({ source: { kind: 'model', key, regime: 'turbulent' } });
    expect(regime).to.deep.equal(['/source/regime']);
  });

  it('404 for a model that does not exist, 503 for symbols without a history', async () => {
    const unknown = await post({ source: { kind: 'model', key: 'no_such_model' }, horizon: 12 });
    expect([unknown.status, unknown.body['code']]).to.deep.equal([404, 'not_found']);
    const short = await post({ source: { kind: 'history', symbols: ['ZZZZ'] }, horizon: 12 });
    expect([short.status, short.body['code'], short.body['observed']]).to.deep.equal([
      503,
      'market_history_insufficient',
      0,
    ]);
  });
});
