import { expect } from 'chai';
import { sql } from 'kysely';
import { checkSeal } from '#lib/core/seal.ts';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { inTenant } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { FACTORS, MONTHLY_RETURNS } from '../../support/monthly-returns.ts';
import { importNumericDataset } from '../../support/numeric-dataset.ts';
import { writeModel } from '../../support/numeric-model.ts';
import { asSuperuser } from '../../support/rows.ts';

const [HEADER, ...MONTHS] = MONTHLY_RETURNS as [string, ...string[]];
const EARLIER = [HEADER, ...MONTHS.slice(0, 197)];
const LATER = [HEADER, ...MONTHS.slice(197)];
const ASSESSMENTS = '/lqm/drift-assessments';

onOneBackend('POST /lqm/models/{uid}/drift-assessments', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let model: { uid: string; dataset: number };
  let count = 0;

  /** Creates a governed dataset of the workspace or, with `ungoverned`, a dataset without governance. */
  const dataset = (lines: readonly string[], { ungoverned = false } = {}) => {
    const names = lines[0]!.split(',').filter((name) => name !== 'date');
    const units = names.map((name) => `${name}=log_return`).join(',');
    return importNumericDataset(live(), tenancy, {
      name: `newer-${++count}`,
      lines,
      ...(ungoverned ? {} : { units }),
    });
  };
  const assess = (id: number, uid = model.uid) =>
    client.post(`/lqm/models/${uid}/drift-assessments`, { dataset_id: id });
  const trained = async (lines: readonly string[]) => {
    const written = await writeModel(live(), tenancy, { lines, factors: FACTORS });
    for (const step of ['trainings', 'evaluations']) {
      const { status, body } = await client.post(`/lqm/models/${written.uid}/${step}`, {});
      expect(status, JSON.stringify(body)).to.equal(201);
      if (step === 'evaluations') expect(body.result.passed).to.equal(true);
    }
    return written;
  };
  const requests = async () => {
    const { json, stderr } = await assay(
      live(),
      ...['lqm', 'review', 'list', '--workspace', tenancy.workspace, '--json'],
    );
    expect(stderr).to.equal('');
    return json.data as { uid: string; state: string; assessment_uid: string; dataset_id: number }[];
  };

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    model = await trained(EARLIER);
  });

  it('201 seals a comparison of the later half of real returns with the earlier half', async () => {
    const id = await dataset(LATER);
    const { status, body } = await assess(id);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    const { input, result } = body;
    expect(input).to.deep.include({ model_uid: model.uid, version: 1, columns: FACTORS.toSorted() });
    expect([input.reference.id, input.dataset.id]).to.deep.equal([model.dataset, id]);
    expect(input.checkpoint_hash).to.match(/^[0-9a-f]{64}$/);
    // In the later half the standard deviations differ, but the means do not. The Kolmogorov-Smirnov test finds no
    // drifted column, but the population stability index finds seven.
    expect(result).to.deep.include({ method: 'drift/1', severity: 'material', drifted_columns: 7 });
    const metrics = result.metrics as { name: string; state: string }[];
    const drifts = (name: string) =>
      metrics.filter((each) => each.name === name && each.state === 'drift').length;
    expect([
      drifts('kolmogorov_smirnov'),
      drifts('population_stability'),
      drifts('missing_share'),
    ]).to.deep.equal([0, 7, 0]);
    const together = (name: string) =>
      result.metrics.find((metric: { name: string }) => metric.name === name) as {
        value: number;
        p_value: number;
      };
    expect(together('hotelling').p_value).to.be.closeTo(0.69328, 1e-5);
    expect(together('mean_discrepancy').value).to.be.closeTo(0.00395078, 1e-8);
    expect(together('classifier_area').value).to.be.closeTo(0.7639, 0.02);
    expect(result.performance.state).to.be.oneOf(['as_accepted', 'worse']);
    expect(result.performance.log_score).to.be.a('number');
    const read = await client.get(`${ASSESSMENTS}/${body.uid}`);
    expect(read.body.result).to.deep.equal(result);
    const listed = await client.get(`${ASSESSMENTS}?model_uid=${model.uid}`);
    expect(listed.body.data.map(({ uid }: { uid: string }) => uid)).to.include(body.uid);
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
  });

  it('201 stores every statistic in its own row with the hash of the seal', async () => {
    const { body } = await assess(await dataset(LATER.slice(0, 41)));
    const { rows } = await asSuperuser(live(), (database) =>
      database.query(
        `select column_name as "column", name, value, p_value, adjusted_p, threshold, state, n_reference, n_current
         from drift_metric where assessment_uid = $1 and seal_hash = $2 order by position`,
        [body.uid, body.seal.hash],
      ),
    );
    expect(rows).to.deep.equal(body.result.metrics);
    const visible = async (workspace: string) => {
      const em = live().orm('api').em.fork();
      em.setSessionContext({ variables: { 'app.workspace': workspace, 'app.environment': 'sandbox' } });
      const found = await em.transactional((inner) =>
        sql`select from drift_metric where assessment_uid = ${body.uid}`.execute(inner.getKysely()),
      );
      return found.rows.length;
    };
    const { workspace: foreign } = await buildTenancy(live());
    expect([await visible(tenancy.workspace), await visible(foreign)]).to.deep.equal([rows.length, 0]);
    for (const role of ['api', 'worker', 'operator'] as const) {
      const em = live().orm(role).em.fork();
      const changed = em.transactional((inner) =>
        sql`update drift_metric set value = 0`.execute(inner.getKysely()),
      );
      expect(await changed.then(() => 'changed', String)).to.contain('permission denied');
    }
  });

  it('201 rates three shifted columns and an emptied column as material', async () => {
    const moved = EARLIER.map((line, at) => {
      if (at === 0) return line;
      const [day, ...values] = line.split(',');
      return [
        day,
        ...values.map((value, column) => (column < 3 ? Number(value) + 0.2 : column === 3 ? '' : value)),
      ].join(',');
    });
    const id = await dataset(moved);
    const { status, body } = await assess(id);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.result).to.deep.include({
      severity: 'material',
      retraining_requested: true,
      drifted_columns: 4,
    });
    expect(body.result.performance).to.deep.include({ state: 'not_observable', reason: 'values_missing' });
    const states = Object.fromEntries(
      body.result.columns.map(({ column, state }: Record<string, string>) => [column, state]),
    );
    expect(FACTORS.slice(0, 4).map((name) => states[name])).to.deep.equal([
      'shifted',
      'shifted',
      'shifted',
      'missing_shift',
    ]);
    expect((await assess(id)).body.result.severity).to.equal('material');
    const open = (await requests()).filter(({ dataset_id }) => dataset_id === id);
    expect(open).to.have.length(1);
    expect(open[0]).to.include({ state: 'pending_review', assessment_uid: body.uid, model_uid: model.uid });
    const { uid } = open[0]!;
    const review = (event: string, person: string) =>
      assay(live(), ...['lqm', 'review', event, uid, '--reason', 'looked at it', '--as', person, '--json']);
    const own = await review('approve', tenancy.person);
    expect([own.status, own.stderr.includes('reviewer_is_author')]).to.deep.equal([1, true]);
    const { person: second } = await buildTenancy(live(), { workspace: tenancy.workspace });
    const approved = await review('approve', second);
    expect(approved.json, approved.stderr).to.include({ state: 'approved', reviewed_by: second });
    expect(approved.json).to.include({ version: 2 });
    expect((await review('reject', second)).stderr).to.contain('request_already_reviewed');
    const audit = await assay(
      live(),
      ...['audit', 'list', '--workspace', tenancy.workspace, '--subject', uid, '--json'],
    );
    for (const op of ['lqm.retraining_requested', 'lqm.retraining_approved', 'lqm.retraining_rejected'])
      expect(audit.stdout, audit.stderr).to.contain(op);
    const log = await inTenant(live().orm('operator'), tenancy, (em) => listAudit(em, { limit: 50 }));
    const oldestFirst = log.map(({ entry }) => `${entry.op} ${entry.outcome.status}`).reverse();
    const cause = oldestFirst.indexOf('lqm.retraining_approved done');
    expect(oldestFirst[cause + 1], oldestFirst.join()).to.equal('lqm.training_started done');
    // A decided review is closed, so the same drift requests a new review. The new review is rejected.
    await assess(id);
    const next = (await requests()).find(
      ({ dataset_id, state }) => dataset_id === id && state !== 'approved',
    );
    const rejected = await assay(
      live(),
      ...['lqm', 'review', 'reject', next!.uid, '--reason', 'known', '--as', second, '--json'],
    );
    expect(rejected.json, rejected.stderr).to.include({ state: 'rejected', training_uid: null });
  });

  it('409 states every reason: no passed evaluation, the training set itself, an ungoverned dataset, missing columns, too few rows', async () => {
    const refused = async (id: number, uid?: string) => {
      const { status, body } = await assess(id, uid);
      expect([status, body.code], JSON.stringify(body)).to.deep.equal([409, 'drift_ineligible']);
      return body;
    };
    const draft = await writeModel(live(), tenancy, { lines: EARLIER, factors: ['KO'] });
    expect((await refused(await dataset(LATER), draft.uid)).reasons).to.deep.equal(['no_passed_evaluation']);
    expect((await refused(model.dataset)).reasons).to.deep.equal(['dataset_is_training_set']);
    expect((await refused(await dataset(EARLIER))).reasons).to.deep.equal(['dataset_is_training_set']);
    const some = LATER.slice(0, 20).map((line) => line.split(',').slice(0, 5).join(','));
    const many = await refused(await dataset(some, { ungoverned: true }));
    expect(many.reasons).to.deep.equal(['dataset_not_governed', 'columns_missing', 'rows_insufficient']);
    expect(many.governance_faults).to.include('approval_missing');
    expect(many.missing_columns).to.deep.equal(FACTORS.slice(4).toSorted());
    expect([many.observed, many.needed]).to.deep.equal([19, 30]);
  });

  it('409 rejects data from before the end of the training data', async () => {
    const late = EARLIER.map((line) => line.replace(/^\d{4}/, (year) => String(Number(year) + 60)));
    const future = await trained(late.map((line) => line.replace(/-29,/, '-28,')));
    const { status, body } = await assess(await dataset(LATER), future.uid);
    expect([status, body.reasons], JSON.stringify(body)).to.deep.equal([409, ['dataset_not_newer']]);
  });

  it('404 hides models, datasets and assessments of other workspaces', async () => {
    const id = await dataset(LATER.slice(0, 40));
    const theirs = clientOf(live(), (await buildTenancy(live())).key);
    const path = `/lqm/models/${model.uid}/drift-assessments`;
    expect((await theirs.post(path, { dataset_id: id })).status).to.equal(404);
    for (const [unknown, uid, code] of [
      [2 ** 31 - 1, model.uid, 'unknown_dataset'],
      [2 ** 40, model.uid, 'unknown_dataset'],
      [id, 'nonsense', 'not_found'],
    ] as const) {
      const { status, body } = await assess(unknown, uid);
      expect([status, body.code]).to.deep.equal([404, code]);
    }
    const { body: own } = await assess(id);
    expect((await theirs.get(`${ASSESSMENTS}/${own.uid}`)).status).to.equal(404);
    expect((await theirs.get(ASSESSMENTS)).body.data).to.deep.equal([]);
    for (const body of [{}, { dataset_id: 'x' }, { dataset_id: 0 }, { dataset_id: id, more: 1 }])
      expect((await client.post(path, body)).status).to.equal(422);
  });
});
