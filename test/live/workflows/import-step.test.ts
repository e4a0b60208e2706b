import { expect } from 'chai';
import { sql } from 'kysely';
import { presentReport, presentRun } from '#api/cli/workflows/workflow-present.ts';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { inTenant } from '#lib/database/orm.ts';
import { advanceRun } from '#lib/workflows/advance.write.ts';
import { isOver } from '#lib/workflows/run-states.ts';
import { work } from '#workers/workflows/task-work.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { importCsv } from '../../support/import.ts';
import { withFile } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';
import { policyInForce } from '../../support/policy-record.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually } from '../../support/runs.ts';
import {
  advanceOnce,
  publishWorkflow,
  readWorkflowRun,
  setWorkflowRate,
  startWorkflow,
  waitingWorkflow,
  workflowPolicy,
} from '../../support/workflow.ts';

const HEADER = 'symbol,date,close';
const importing = (input: object) => ({
  ...waitingWorkflow,
  key: 'imports',
  steps: [
    { key: 'prices', kind: 'task', task: 'data.import', input: { kind: 'prices', ...input } },
    {
      key: 'report',
      kind: 'report',
      title: 'Prices',
      figures: {
        revision: { step: 'prices', pointer: '/revision' },
        rows: { step: 'prices', pointer: '/rows/read' },
        sha256: { step: 'prices', pointer: '/file/sha256' },
      },
    },
  ],
});

onOneBackend('A step that imports', function (live) {
  let tenancy: Tenancy;

  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    await policyInForce(live(), tenancy, { body: workflowPolicy('allow') });
    await importCsv(live(), tenancy.workspace, 'prices', [HEADER, 'KO,2024-01-31,60']);
  });

  const asRole = <T>(role: 'operator' | 'worker', work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(live().orm(role), { workspace: tenancy.workspace, environment: 'sandbox' }, work);
  const keep = async (lines: readonly string[], feed = 'prices') => {
    const place = ['--workspace', tenancy.workspace, '--as', tenancy.person, '--feed', feed, '--json'];
    const { json, stderr } = await withFile(lines, (file) =>
      assay(live(), 'workflow', 'keep', file, ...place),
    );
    expect(stderr).to.equal('');
    return json as { uid: string; sha256: string; already_kept: boolean };
  };
  const ended = async (input: object = { feed: 'prices' }) => {
    const uid = await startWorkflow(
      live(),
      tenancy,
      await publishWorkflow(live(), tenancy, importing(input)),
    );
    await eventually(async () => isOver((await readWorkflowRun(live(), tenancy, uid)).run.state));
    return readWorkflowRun(live(), tenancy, uid);
  };
  const closes = async () => {
    const { rows } = await asRole('operator', (em) =>
      sql<{ close: string }>`
        select p.close::text from price p join dataset d on d.id = p.dataset_id
        where d.workspace_uid = ${tenancy.workspace} order by p.observed_on, p.revision
      `.execute(em.getKysely()),
    );
    return rows.map(({ close }) => close);
  };

  it('loads the newest file of a feed once in the name of the person who stored the file', async () => {
    await setWorkflowRate(live(), tenancy);
    await keep([HEADER, 'KO,2024-02-29,1']);
    const file = await keep([HEADER, 'KO,2024-02-29,61', 'KO,2024-03-29,62']);
    expect((await keep([HEADER, 'KO,2024-02-29,61', 'KO,2024-03-29,62'])).already_kept).to.equal(true);
    const found = await ended();
    expect(presentRun(found).error).to.equal(null);
    expect(presentReport(found)!['figures']).to.deep.equal({ revision: 2, rows: 2, sha256: file.sha256 });
    expect(await closes()).to.deep.equal(['60', '61', '62']);
    expect(found.cost).to.deep.include({ currency: 'EUR', isFloor: false });
    for (let again = 0; again < 2; again++) await advanceOnce(live(), tenancy, found.run.uid);
    const { rows } = await asRole('operator', (em) =>
      sql`select step_key, imported_by_uid from workflow_meter, dataset_import i
          where run_uid = ${found.run.uid} and i.uid = ${(found.steps[0]!.output as any).import}`.execute(
        em.getKysely(),
      ),
    );
    expect(rows).to.deep.equal([{ step_key: 'prices', imported_by_uid: tenancy.person }]);
    const later = await ended();
    expect(later.steps[0]!.output).to.deep.include({ already_imported: true, revision: 2 });
    const dataset = (found.steps[0]!.output as any).dataset.uid;
    const entries = await asRole('operator', (em) => listAudit(em, { subject: dataset, limit: 10 }));
    expect(entries.filter(({ entry }) => entry.actor.kind === 'system')).to.have.length(1);
    const { workspace } = tenancy;
    const inProduction = await inTenant(
      live().orm('operator'),
      { workspace, environment: 'production' },
      (em) => listAudit(em, { op: 'dataset.imported', subject: dataset, limit: 10 }),
    );
    expect(inProduction.map(({ entry }) => entry.actor.kind)).to.include('system');
  });

  it('takes effect once despite a rollback midway and many concurrent workers', async () => {
    await keep([HEADER, 'KO,2024-02-29,61']);
    const version = await publishWorkflow(live(), tenancy, importing({ feed: 'prices' }));
    const uid = await startWorkflow(live(), tenancy, version);
    const undone = asRole('worker', async (em) => {
      await advanceRun(em, uid, { work, now: new Date() });
      throw new Error('the worker died');
    });
    await undone.catch(() => undefined);
    await Promise.all([1, 2, 3].map(() => advanceOnce(live(), tenancy, uid)));
    await eventually(async () => (await readWorkflowRun(live(), tenancy, uid)).run.state === 'succeeded');
    expect(await closes()).to.deep.equal(['60', '61']);
    const { rows } = await asRole('operator', (em) =>
      sql`select count(*)::int as metered from workflow_meter where run_uid = ${uid}`.execute(em.getKysely()),
    );
    expect(rows).to.deep.equal([{ metered: 1 }]);
  });

  it('loads nothing from a file with faults and shows the faulty rows with the run', async () => {
    await keep([HEADER, 'KO,2024-02-29,61', 'KO,2024-02-30,62']);
    const found = await ended();
    expect([found.run.state, found.run.errorCode]).to.deep.equal(['failed', 'validation_failed']);
    const { refused } = found.steps[0]!.output as any;
    expect(refused).to.deep.include({ code: 'import_refused', errors_total: 1 });
    expect(refused.errors[0]).to.deep.include({ line: 3, column: 'date' });
    expect(await closes()).to.deep.equal(['60']);
  });

  it('reports the faults of a file whose text the database rejects', async () => {
    await keep([HEADER, 'KO,2024-02-29,6\0', `KO,2024-03-${'\u{1f600}'.repeat(150)},1`, 'K\0,2024-03-29,1']);
    const found = await ended();
    expect([found.run.state, found.run.errorCode]).to.deep.equal(['failed', 'validation_failed']);
    expect((found.steps[0]!.output as any).refused.errors_total).to.be.greaterThan(1);
  });

  it('is rejected if the file or the dataset does not exist or if a path is given', async () => {
    const code = async (input: object) => (await ended(input)).run.errorCode;
    expect(await code({ feed: 'prices' })).to.equal('not_found');
    expect(await code({ feed: '/etc/passwd' })).to.equal('validation_failed');
    const { uid, sha256 } = await keep([HEADER, 'KO,2024-02-29,61']);
    expect(await code({ sha256, dataset: 'elsewhere' })).to.equal('unknown_dataset');
    expect(await code({ sha256, feed: 'prices' })).to.equal('validation_failed');
    const discarded = await assay(live(), 'workflow', 'discard', uid, '--as', tenancy.person, '--json');
    expect(discarded.json.removed_at, discarded.stderr).to.be.a('string');
    expect(await code({ sha256 })).to.equal('not_found');
    expect(await closes()).to.deep.equal(['60']);
  });

  it('uses no file or dataset of another workspace, even with an entitlement to read them', async () => {
    const other = await buildTenancy(live());
    await importCsv(live(), other.workspace, 'prices', [HEADER, 'PG,2024-01-31,1']);
    const { sha256 } = await keep([HEADER, 'KO,2024-02-29,61']);
    await policyInForce(live(), other, { body: workflowPolicy('allow') });
    const version = await publishWorkflow(live(), other, importing({ sha256 }));
    const uid = await startWorkflow(live(), other, version);
    await eventually(async () => (await readWorkflowRun(live(), other, uid)).run.errorCode === 'not_found');
    await asSuperuser(live(), (client) =>
      client.query(
        `insert into dataset_entitlement (dataset_id, workspace_uid, granted_at)
         select id, $1, now() from dataset where workspace_uid = $2`,
        [tenancy.workspace, other.workspace],
      ),
    );
    const statements: [string, ReturnType<typeof sql>][] = [
      [
        '42501',
        sql`insert into price (dataset_id, frequency, symbol, observed_on, known_at, known_at_basis, revision, close)
          select id, 'daily', 'PG', '2024-02-01', now(), 'stated', 9, 2 from dataset
          where workspace_uid = ${other.workspace}`,
      ],
      [
        '22012',
        sql`with changed as (update dataset set revision = 9 where workspace_uid = ${other.workspace} returning 1)
          select 1 / count(*) from changed`,
      ],
    ];
    for (const [code, statement] of statements) {
      const attempt = await asRole('worker', (em) => statement.execute(em.getKysely())).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );
      expect(attempt).to.equal(code);
    }
  });
});
