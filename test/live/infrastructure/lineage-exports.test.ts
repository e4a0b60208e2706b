import { expect } from 'chai';
import { systemClock } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { scopes } from '#lib/core/scope.ts';
import { sha256 } from '#lib/core/seal.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { Edge } from '#lib/infrastructure/lineage/graph.ts';
import { readGraph } from '#lib/infrastructure/lineage/read-graph.query.ts';
import { uuidOf } from '#lib/infrastructure/lineage/uuid.ts';
import { runs as kinds } from '#lib/runs.ts';
import { materialiseOne } from '#workers/research/feature-materialisation.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { dailyLines, weekdays } from '../../support/daily-prices.ts';
import { defineFeature } from '../../support/feature.ts';
import { importEconomics } from '../../support/forecast.ts';
import { importCsv } from '../../support/import.ts';
import { importPortfolioRows } from '../../support/imported-portfolio.ts';
import { onOneBackend } from '../../support/live.ts';
import { createProject, SNAPSHOTS } from '../../support/research.ts';
import { servingQuestionModel } from '../../support/qlm.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually } from '../../support/runs.ts';
import { isRunEvent } from '../../support/openlineage.ts';

const paths = [{ symbol: 'AAA', start: 100, drift: 0.0004, swing: 0.012 }];
const PATH = '/infrastructure/lineage-exports';

onOneBackend('POST /infrastructure/lineage-exports', (live) => {
  let tenancy: Tenancy;
  let dataset: string;
  let run: string;
  let snapshot: string;
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

  it('202 queues an export for a caller that does not wait, and a worker builds the same bytes', async () => {
    const body = { subject: { type: 'run', uid: run }, format: 'openlineage-2-0-2', pin_versions: true };
    const asked = await clientOf(live(), tenancy.key).post(PATH, body, { prefer: 'respond-async' });
    expect([asked.status, asked.body.state, asked.body.nodes, asked.body.events]).to.deep.equal([
      202,
      'queued',
      null,
      null,
    ]);
    const { uid } = asked.body;
    expect(asked.headers.get('location')).to.equal(`/api/v2${PATH}/${uid}`);
    expect(asked.headers.get('preference-applied')).to.equal('respond-async');
    expect(asked.headers.get('retry-after')).to.match(/^\d+$/);
    const read = () => clientOf(live(), tenancy.key).get(`${PATH}/${uid}`);
    await eventually(async () => (await read()).body.state === 'ready');
    const built = (await read()).body;
    const direct = await exported(body.subject, { pin_versions: true });
    for (const member of ['state_hash', 'events_sha256', 'events', 'nodes', 'edges', 'gaps'])
      expect([member, built[member]]).to.deep.equal([member, direct[member]]);
    const other = await buildTenancy(live());
    const foreign = await clientOf(live(), other.key).post(PATH, body, { prefer: 'respond-async' });
    expect(foreign.status).to.equal(404);
    const { rows } = await asSuperuser(live(), (client) =>
      client.query<{ op: string }>(`select op from audit_entry where subject_uid = $1 order by id`, [uid]),
    );
    expect(rows.map(({ op }) => op)).to.deep.equal(['lineage_export.queued', 'lineage_export.ready']);
  });

  it('409 for a request that equals a queued one, with the uid of the queued export', async () => {
    const own = await buildTenancy(live(), { workspace: tenancy.workspace });
    const body = { subject: { type: 'run', uid: run }, format: 'prov-json', direction: 'upstream' };
    const ask = (headers = {}) => clientOf(live(), own.key).post(PATH, body, headers);
    const made = await ask();
    expect(made.status).to.equal(201);
    // Another export of the same request is queued, but no worker may take it up during the test.
    const queued = newUid(prefixes.lineageExport);
    await asSuperuser(live(), (client) =>
      client.query(
        `insert into lineage_export select (jsonb_populate_record(null::lineage_export, to_jsonb(e) || jsonb_build_object(
           'uid', $1::text, 'state', 'running', 'started_at', now(), 'content', null, 'content_hash', null,
           'content_gzip', null, 'nodes', null, 'edges', null))).* from lineage_export e where uid = $2`,
        [queued, made.body.uid],
      ),
    );
    const refused = await ask();
    expect([refused.status, refused.body.code, refused.body.uid]).to.deep.equal([
      409,
      'export_in_progress',
      queued,
    ]);
    expect(refused.headers.get('location')).to.equal(`/api/v2${PATH}/${queued}`);
    const download = await clientOf(live(), own.key).get(`${PATH}/${queued}?download=1`);
    expect(download.status).to.equal(404);
    // A process that took the export up and died has used up an attempt; after the last one the export fails.
    await asSuperuser(live(), (client) =>
      client.query(
        `update lineage_export set attempts = 3, started_at = now() - interval '1 hour' where uid = $1`,
        [queued],
      ),
    );
    await eventually(async () => {
      const { body: found } = await clientOf(live(), own.key).get(`${PATH}/${queued}`);
      return found.state === 'failed' && found.failure === 'not_built';
    });
    expect((await ask()).status).to.equal(201);
  });

  it('200 returns an export that an earlier release has stored as text', async () => {
    const made = await exported({ type: 'run', uid: run });
    const get = async (query = '') => {
      const { body } = await clientOf(live(), tenancy.key).get(`${PATH}/${made.uid}${query}`);
      return body;
    };
    const text = await get('?download=1');
    await asSuperuser(live(), (client) =>
      client.query('update lineage_export set content = $1, content_gzip = null where uid = $2', [
        text,
        made.uid,
      ]),
    );
    expect([await get('?download=1'), await get()]).to.deep.equal([text, made]);
  });

  it('exports the same lineage that the command line prints', async () => {
    const { stdout, status } = await assay(live(), 'lineage', 'show', run);
    expect(status).to.equal(0);
    expect(stdout).to.match(new RegExp(`^run ${run} investment\\.theme-factors, `));
    expect(stdout).to.include(`dataset ${dataset} prices, revision 1`);
  });

  it('201 follows a snapshot to the values of features, their materialisation and their dataset', async () => {
    const key = await defineFeature(live(), tenancy, dataset);
    const clock = systemClock;
    const request = {
      workspace: tenancy.workspace,
      key,
      mode: 'full',
      clock,
      onProgress: () => undefined,
    } as const;
    const report = await materialiseOne(live().orm('worker'), request);
    const project_id = await createProject(live(), tenancy, [key]);
    const made = await clientOf(live(), tenancy.key).post(SNAPSHOTS, {
      project_id,
      as_of_date: '2020-02-29',
    });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    snapshot = made.body.uid;
    const { document, gaps } = await exported(
      { type: 'snapshot', uid: made.body.uid },
      { format: 'prov-json', direction: 'upstream', granularity: 'column' },
    );
    const uid = report.ok ? report.materialised.uid : '';
    expect(Object.keys(document.activity)).to.include(`assay:${uid}`);
    const uses = Object.values<Record<string, string>>(document.used).map((each) => [
      each['prov:activity'],
      each['prov:entity'],
    ]);
    expect(uses).to.deep.include([`assay:${uid}`, `assay:${dataset}@1`]);
    expect(gaps).to.deep.equal([]);
    const narrow = await buildTenancy(live(), {
      workspace: tenancy.workspace,
      scopes: ['infrastructure:lineage', 'quant:compute:read', 'data:market:read'],
    });
    const cut = await exported({ type: 'snapshot', uid: made.body.uid }, { direction: 'upstream' }, narrow);
    expect(cut.gaps).to.deep.include({ node: made.body.uid, reason: 'not_entitled' });
    const down = await exported(
      { type: 'dataset', uid: dataset },
      { direction: 'downstream', format: 'prov-json' },
    );
    const relations = (relation: string) =>
      Object.values<Record<string, string>>(down.document[relation]).map((each) => [
        each['prov:activity'],
        each['prov:entity'],
      ]);
    expect(relations('used')).to.deep.include([`assay:${uid}`, `assay:${dataset}@1`]);
    const [, feature] = relations('wasGeneratedBy').find(([activity]) => activity === `assay:${uid}`)!;
    expect(relations('used')).to.deep.include([`assay:${made.body.uid}`, feature]);
    expect(relations('wasGeneratedBy')).to.deep.include([
      `assay:${made.body.uid}`,
      `assay:result/${made.body.uid}`,
    ]);
    expect(down.gaps.map(({ reason }: any) => reason)).not.to.include('features_not_traced');
    const cutDown = await exported({ type: 'dataset', uid: dataset }, { direction: 'downstream' }, narrow);
    expect(cutDown.gaps).to.deep.include({ node: `${dataset}@1`, reason: 'not_entitled' });
    expect(JSON.stringify(cutDown)).not.to.include(feature!.slice('assay:'.length, -2));
  });

  it('201 follows a report on a portfolio to the imports of its events', async () => {
    const own = await buildTenancy(live());
    await importCsv(live(), own.workspace, 'prices', dailyLines(paths, weekdays('2019-01-01', 300)));
    await importPortfolioRows(live(), own, 'portfolios', [
      'main,Main,USD,taxable,fifo,,household,2019-01-01',
    ]);
    const events = await importPortfolioRows(live(), own, 'events', [
      'main,R-1,deposit,2019-01-02,,,,100000,,,,,,',
      'main,R-2,buy,2019-01-03,AAA,100,100,,,,,,,',
    ]);
    const asked = { portfolio: 'main', as_of: '2020-02-20' };
    const report = await clientOf(live(), own.key).post('/investment/risk-reports', asked);
    expect(report.status, JSON.stringify(report.body)).to.equal(201);
    const found = await exported({ type: 'run', uid: report.body.uid }, { direction: 'upstream' }, own);
    const imported = found.events.find(
      ({ run, eventType }: any) => run.runId === uuidOf(events.uid) && eventType === 'COMPLETE',
    );
    expect(imported.job.name).to.equal('import/portfolio_events');
    const portfolio = imported.outputs[0].name;
    const read = found.events.find(({ run }: any) => run.runId === uuidOf(report.body.uid));
    expect(read.inputs.map(({ name }: any) => name)).to.include(portfolio);
    for (const event of found.events)
      expect(isRunEvent(event), JSON.stringify(isRunEvent.errors)).to.equal(true);
  });

  it('201 follows a sealed answer of a question model to its data, and a dataset to the answer', async () => {
    const own = await buildTenancy(live());
    await importEconomics(live(), own.workspace);
    const model = await servingQuestionModel(live(), own);
    const question = 'What was GDPC1 in 2019-Q4?';
    const told = await clientOf(live(), own.key).post(`/qlms/${model}/invoke`, { question });
    expect([told.status, told.body.outcome]).to.deep.equal([200, 'answered']);
    const answer = told.body.uid;
    const found = await exported({ type: 'qlm_answer', uid: answer }, { direction: 'upstream' }, own);
    const asked = found.events.filter(({ run }: any) => run.runId === uuidOf(answer));
    expect(asked.map(({ eventType }: any) => eventType)).to.deep.equal(['START', 'COMPLETE']);
    expect(asked[0].inputs.length).to.be.at.least(1);
    const source = asked[0].inputs[0].name.replace('dataset/', '');
    const down = await exported({ type: 'dataset', uid: source }, { direction: 'downstream' }, own);
    expect(down.events.map(({ run }: any) => run.runId)).to.include(uuidOf(answer));
  });

  it('gives callers with the same scopes the same bytes, and callers with fewer scopes a part with gaps (I-201)', async () => {
    const other = await buildTenancy(live(), { workspace: tenancy.workspace });
    const subject = { type: 'snapshot', uid: snapshot };
    const [mine, theirs] = [await exported(subject), await exported(subject, {}, other)];
    expect(theirs.events_sha256).to.equal(mine.events_sha256);
    for (const uid of [snapshot, run, dataset]) {
      const whole = (await graphFor(uid, new Set<string>(scopes)))!;
      const [nodes, edges] = [new Set(whole.nodes.map(({ id }) => id)), new Set(whole.edges.map(textOf))];
      for (const missing of scopes.filter((scope) => scope.endsWith(':read'))) {
        const part = await graphFor(uid, new Set(scopes.filter((scope) => scope !== missing)));
        if (!part) continue;
        expect(part.nodes.filter(({ id }) => !nodes.has(id))).to.deep.equal([]);
        expect(part.edges.filter((edge) => !edges.has(textOf(edge)))).to.deep.equal([]);
        const isCut = part.nodes.length < whole.nodes.length || part.edges.length < whole.edges.length;
        const hasGap = part.gaps.some(({ reason }) => reason === 'not_entitled');
        expect([uid, missing, hasGap]).to.deep.equal([uid, missing, isCut]);
      }
    }
  });

  it('has only edges that are rows of records (I-202)', async () => {
    for (const uid of [snapshot, run, dataset]) {
      const { edges } = (await graphFor(uid, new Set<string>(scopes)))!;
      expect(edges.length).to.be.at.least(2);
      for (const edge of edges) expect([textOf(edge), await isRow(edge)]).to.deep.equal([textOf(edge), true]);
    }
    expect(await isRow({ activity: run, relation: 'used', other: `${dataset}@2` })).to.equal(false);
  });

  const textOf = ({ activity, relation, other }: Edge) => `${activity} ${relation} ${other}`;

  async function graphFor(uid: string, held: ReadonlySet<string>) {
    const reader = {
      scopes: held,
      scopeOfRun: Object.fromEntries(Object.values(kinds).map(({ key, scope }) => [key, scope])),
    };
    const tenant = { workspace: tenancy.workspace, environment: 'sandbox' } as const;
    const found = await inTenant(live().orm('api'), tenant, (em) =>
      readGraph(em, { uid, direction: 'both', depth: 10, reader }),
    );
    return found?.graph;
  }

  const isRow = ({ activity, other }: Edge) =>
    asSuperuser(live(), async (client) => {
      const { rowCount } = await client.query(
        `select from run_reference where run_uid = $1 and uid = replace($2, 'result/', '')
         union all select from run_reference r join dataset d on r.uid = 'dataset:' || d.id || '@' || split_part($2, '@', 2)
           where r.run_uid = $1 and d.uid = split_part($2, '@', 1)
         union all select from run_feature_reference p join feature_version v on v.id = p.feature_version_id
           where p.run_uid = $1 and v.uid || '@' || p.revision = $2
         union all select from feature_materialisation m join feature_version v on v.id = m.feature_version_id
           join dataset d on d.id = v.dataset_id
           where m.uid = $1 and $2 in (d.uid || '@' || m.dataset_revision, v.uid || '@' || m.values_revision)
         union all select from dataset_import i join dataset d on d.id = i.dataset_id
           where i.uid = $1 and $2 in (d.uid || '@' || i.revision, d.uid || '@' || i.revision - 1)
         union all select from run_result where run_uid = $1 and 'result/' || run_uid = $2`,
        [activity, other],
      );
      return rowCount! > 0;
    });
});
