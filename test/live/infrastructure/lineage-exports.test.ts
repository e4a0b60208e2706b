import { expect } from 'chai';
import { sha256 } from '#lib/core/seal.ts';
import { uuidOf } from '#lib/infrastructure/lineage/uuid.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { isRunEvent } from '../../support/openlineage.ts';

const PATH = '/infrastructure/lineage-exports';

onOneBackend('POST /infrastructure/lineage-exports', (live) => {
  let tenancy: Tenancy;
  let dataset: string;
  let run: string;
  const post = (body: object, { key } = tenancy) => clientOf(live(), key).post(PATH, body);
  const exported = async (subject: object, more: object = {}, from = tenancy) => {
    const { status, body } = await post({ subject, format: 'openlineage-2-0-2', ...more }, from);
    expect([status, body.code]).to.deep.equal([201, undefined]);
    return body;
  };

  before(async () => {
    tenancy = await buildTenancy(live());
    const lines = ['symbol,date,close', 'AAA,2020-01-31,1', 'AAA,2020-02-28,2'];
    dataset = (await importCsv(live(), tenancy.workspace, 'prices', lines)).dataset.uid;
    const request = { as_of_date: '2020-02-29' };
    const answer = await clientOf(live(), tenancy.key).post('/investment/theme-watch/factors', request);
    run = answer.headers.get('location')?.split('/').at(-1) ?? '';
    if (run === '') run = (await clientOf(live(), tenancy.key).get('/quant/compute/jobs')).body.data[0].uid;
  });

  it('201 exports valid events from imports to runs, with the same bytes for unchanged records', async () => {
    const first = await exported({ type: 'run', uid: run });
    for (const event of first.events)
      expect(isRunEvent(event), JSON.stringify(isRunEvent.errors)).to.equal(true);
    const own = first.events.find((event: any) => event.run.runId === uuidOf(run));
    expect(own.inputs.map(({ name }: { name: string }) => name)).to.deep.equal([`dataset/${dataset}`]);
    const made = first.events.find(
      (event: any) => event.job.name === 'import/prices' && event.outputs.length > 0,
    );
    expect(made.outputs[0].name).to.equal(`dataset/${dataset}`);
    const second = await exported({ type: 'run', uid: run });
    expect([second.state_hash, second.events_sha256]).to.deep.equal([first.state_hash, first.events_sha256]);
    const { body } = await clientOf(live(), tenancy.key).get(`${PATH}/${first.uid}?download=1`);
    expect(sha256(body)).to.equal(first.events_sha256);
    expect(
      (await clientOf(live(), tenancy.key).get(PATH)).body.data.map(({ uid }: any) => uid),
    ).to.include.members([first.uid, second.uid]);
  });

  it('201 exports PROV-JSON, and follows a dataset downstream', async () => {
    const { document, events } = await exported(
      { type: 'dataset', uid: dataset },
      { format: 'prov-json', direction: 'downstream' },
    );
    expect(events).to.equal(null);
    expect(Object.keys(document.activity)).to.include(`assay:${run}`);
  });

  it('201 omits records that the scopes do not cover, and lists the gaps', async () => {
    const scopes = ['infrastructure:lineage', 'quant:compute:read'];
    const narrow = await buildTenancy(live(), { workspace: tenancy.workspace, scopes });
    const found = await exported({ type: 'run', uid: run }, {}, narrow);
    expect(found.gaps).to.deep.include({ node: run, reason: 'not_entitled' });
    expect(JSON.stringify(found)).not.to.include(dataset);
    const refused = await post({ subject: { type: 'dataset', uid: dataset }, format: 'prov-json' }, narrow);
    expect([refused.status, refused.body.code]).to.deep.equal([404, 'not_found']);
  });

  it('404 for a subject of another workspace, 422 for an invalid depth, format or prefix of an id', async () => {
    const other = await buildTenancy(live());
    const subject = { type: 'run', uid: run };
    const format = 'openlineage-2-0-2';
    expect((await post({ subject, format }, other)).status).to.equal(404);
    for (const more of [
      { depth: 0 },
      { depth: 11 },
      { depth: '5' },
      { format: 'csv' },
      { subject: { type: 'dataset', uid: run } },
    ]) {
      const { status, body } = await post({ subject, format, ...more });
      expect([status, body.code], JSON.stringify(more)).to.deep.equal([422, 'validation_failed']);
    }
  });

  it('exports the same lineage that the command line prints', async () => {
    const { stdout, status } = await assay(live(), 'lineage', 'show', run);
    expect(status).to.equal(0);
    expect(stdout).to.match(new RegExp(`^run ${run} investment\\.theme-factors, `));
    expect(stdout).to.include(`dataset ${dataset} prices, revision 1`);
  });
});
