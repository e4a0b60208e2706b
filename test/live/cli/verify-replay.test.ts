import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { userOf } from '../../support/client.ts';
import { importCsv, importTiny } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';

onOneBackend('the command line for verification and replay', function (live) {
  let folder: string;
  let tenancy: Tenancy;
  let run: any;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-verify-'));
    tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
    run = await userOf(live(), tenancy.key).sealedFactors();
  });
  after(() => rm(folder, { recursive: true }));

  const verify = async (document: unknown) => {
    const file = path.join(folder, 'document.json');
    await writeFile(file, typeof document === 'string' ? document : JSON.stringify(document));
    return assay(undefined, 'verify', file, '--json');
  };

  it('verifies a saved response without a database', async () => {
    const { status, json } = await verify(run);
    expect(status).to.equal(0);
    expect(json).to.deep.include({ intact: true, expected: run.seal.hash, actual: run.seal.hash });
  });

  it('verifies a response with its members in any order and with any white space', async () => {
    const shuffled = Object.fromEntries(Object.entries(run).reverse());
    expect((await verify(JSON.stringify(shuffled, null, 4))).status).to.equal(0);
  });

  const tampered: [string, (document: any) => void][] = [
    ['result', (document) => (document.result.factors[0].stats.mean += 1e-12)],
    ['input', (document) => (document.input.ridge_lambda = 0.2)],
    ['model', (document) => (document.model.version = '1.0.1')],
    ['warnings', (document) => document.warnings.push({ code: 'index_gaps', theme: 'a', months: 1 })],
    ['result (missing)', (document) => delete document.result],
    ['seal.hash', (document) => (document.seal.hash = '0'.repeat(64))],
  ];
  for (const [member, tamper] of tampered) {
    it(`exits with 1 and names ${member} if that member differs`, async () => {
      const document = structuredClone(run);
      tamper(document);
      const { status, json, stderr } = await verify(document);
      expect(status).to.equal(1);
      expect(json.differences).to.include(member);
      expect(stderr).to.match(/^seal_broken: /);
    });
  }

  it('rejects a document that parsers can read in different ways', async () => {
    const text = JSON.stringify(run);
    const forged = text.replace('"result":', '"result":{"factors":[]},"result":');
    const twice = await verify(forged);
    expect(twice).to.include({ status: 1, stdout: '' });
    expect(twice.stderr).to.match(/^malformed_document: the member "result" occurs twice/);
    expect((await verify(text.replace('"ridge_lambda":0.1', '"ridge_lambda":0.10'))).stderr).to.match(
      /^malformed_document: the number 0.10 is not in RFC 8785 form/,
    );
    expect((await verify(`${text}{}`)).stderr).to.match(/^not_sealed: /);
    const file = path.join(folder, 'bytes.json');
    await writeFile(file, Buffer.concat([Buffer.from(text), Buffer.from([0xff])]));
    expect((await assay(undefined, 'verify', file)).stderr).to.match(/^malformed_document: .* is not UTF-8/);
  });

  it('rejects a file that is not sealed, not JSON, or missing', async () => {
    expect((await verify({ uid: 'tfr_1' })).stderr).to.match(/^not_sealed: /);
    expect((await verify('{')).stderr).to.match(/^not_sealed: /);
    expect((await assay(undefined, 'verify', path.join(folder, 'none.json'))).stderr).to.match(
      /^file_unreadable: /,
    );
  });

  it('replays a run to the same seal even if its data was corrected', async () => {
    const first = await assay(live(), 'replay', run.uid, '--json');
    expect(first.status).to.equal(0);
    expect(first.json).to.deep.include({ replayed: true, identical: true, replayed_hash: run.seal.hash });
    const { symbols } = run.result;
    const correction = await importCsv(live(), tenancy.workspace, 'prices', [
      'symbol,date,close,adj_close,known_at',
      `${symbols[0]},2018-12-31,99.5,99.5,2018-12-31`,
    ]);
    expect(correction.rows).to.include({ inserted: 0, corrected: 1 });
    expect((await assay(live(), 'replay', run.uid, '--json')).json).to.deep.include({ identical: true });
    const again = await userOf(live(), tenancy.key).sealedFactors(run.input);
    expect(again.result_hash).not.to.equal(run.result_hash);
  });

  it('exits with 1 and reports the difference if the stored data was changed directly', async () => {
    await asSuperuser(live(), (client) =>
      client.query(`update price set adj_close = adj_close * 1.01 where symbol = $1 and revision = 1`, [
        run.result.symbols[1],
      ]),
    );
    const { status, json, stderr } = await assay(live(), 'replay', run.uid, '--json');
    expect(status).to.equal(1);
    expect(json.differences).to.include.members(['result', 'input_data']);
    expect(stderr).to.match(/^replay_differs: /);
  });

  it('refuses to replay a run that never succeeded', async () => {
    expect((await assay(live(), 'replay', 'tfr_00000000000000000000000000')).stderr).to.match(
      /^run_unknown: /,
    );
  });
});
