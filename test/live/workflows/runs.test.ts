import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { importTiny } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { policyInForce } from '../../support/policy-record.ts';
import { eventually } from '../../support/runs.ts';
import { workflowPolicy } from '../../support/workflow.ts';

onOneBackend('assay workflow', function (live) {
  let tenancy: Tenancy;
  let second: string;
  let folder: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    second = (await buildTenancy(live(), { workspace: tenancy.workspace })).person;
    await importTiny(live(), tenancy.workspace);
    await policyInForce(live(), tenancy, { body: workflowPolicy('allow') });
    folder = await mkdtemp(path.join(tmpdir(), 'assay-workflow-'));
  });
  after(() => rm(folder, { recursive: true }));

  const command = (...words: string[]) => assay(live(), 'workflow', ...words, '--json');

  it('publishes and runs a workflow, which seals a report after another person has approved it', async () => {
    const { workspace, person, application } = tenancy;
    const place = ['--workspace', workspace, '--as', person];
    const proposed = await command('publish', 'month-end-themes', ...place);
    expect(proposed.json?.state, proposed.stderr).to.equal('proposed');
    const early = await command('run', 'month-end-themes', ...place, '--app', application);
    expect(early.stderr).to.match(/^workflow_not_published/);
    const own = await command('approve', proposed.json.uid, '--as', person);
    expect(own.stderr).to.match(/^second_person_required/);
    const published = await command('approve', proposed.json.uid, '--as', second);
    expect(published.json?.state, published.stderr).to.equal('published');

    const file = path.join(folder, 'parameters.json');
    await writeFile(file, JSON.stringify({ history_months: 24 }));
    const started = await command(
      'run',
      'month-end-themes',
      ...place,
      '--app',
      application,
      '--parameters',
      file,
      '--wait',
    );
    const { uid, state, steps } = started.json ?? {};
    expect(state, started.stderr + started.stdout).to.equal('waiting_approval');
    expect(steps.map(({ state: of }: any) => of)).to.deep.equal(['succeeded', 'waiting_approval', 'pending']);

    const mine = await command('approve', uid, '--as', person, '--reason', 'looked at');
    expect(mine.stderr).to.match(/^second_person_required/);
    const approved = await command('approve', uid, '--as', second, '--reason', 'looked at');
    expect(approved.json?.approved, approved.stderr).to.deep.equal(['sign_off']);
    await eventually(async () => (await command('show', uid)).json.state === 'succeeded');
    const { json: report } = await command('report', uid);
    expect(checkSeal(report)).to.deep.include({ intact: true, not_covered: ['uid', 'step'] });
    expect(report.figures.factors).to.have.lengthOf(1);
    expect(report.evidence[0]).to.deep.include({ run_uid: steps[0].run_uid, step: 'factors' });
    expect(report.workflow.digest).to.equal(published.json.digest);
  });

  it('runs a workflow that imports the newest prices of a feed and runs the theme factors on them', async () => {
    const { workspace, person, application } = tenancy;
    const place = ['--workspace', workspace, '--as', person];
    const { json: proposed } = await command('publish', 'feed-to-themes', ...place);
    await command('approve', proposed.uid, '--as', second);
    const file = path.join(folder, 'january.csv');
    const symbols = Array.from({ length: 16 }, (_, at) => `S${String(at).padStart(2, '0')}`);
    const rows = symbols.map((symbol, at) => `${symbol},2019-01-31,${140 + at},${140 + at}`);
    await writeFile(file, ['symbol,date,close,adj_close', ...rows, ''].join('\n'));
    const kept = await command('keep', file, ...place, '--feed', 'month-ends');
    expect(kept.json?.bytes, kept.stderr).to.be.above(0);
    const { json: files } = await command('files', '--workspace', workspace);
    expect(files.data).to.deep.equal(
      [{ ...kept.json, already_kept: undefined }].map(({ already_kept: _, ...each }) => each),
    );
    const parameters = path.join(folder, 'feed.json');
    await writeFile(parameters, JSON.stringify({ feed: 'month-ends', history_months: 24 }));
    const run = [
      'run',
      'feed-to-themes',
      ...place,
      '--app',
      application,
      '--parameters',
      parameters,
      '--wait',
    ];
    const { json: ended, stderr } = await command(...run);
    expect(ended?.state, stderr + JSON.stringify(ended)).to.equal('succeeded');
    const { json: report } = await command('report', ended.uid);
    expect(checkSeal(report)).to.deep.include({ intact: true });
    expect(report.figures).to.deep.include({ as_of_date: '2019-01-31', file: kept.json.sha256, revision: 2 });
    expect(report.figures.rows).to.deep.include({ read: 16, inserted: 16 });
  });
});
