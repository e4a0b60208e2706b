import { expect } from 'chai';
import { sql } from 'kysely';
import { canonicalHash } from '#lib/core/seal.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { Tenant } from '#lib/database/base.ts';
import { joinBenchmarks } from '#lib/benchmarking/join-benchmarks.command.ts';
import { leaveBenchmarks } from '#lib/benchmarking/leave-benchmarks.command.ts';
import { measure } from '#lib/benchmarking/measure.query.ts';
import { METHOD_VERSION } from '#lib/benchmarking/cohorts.ts';
import { publishBenchmarks } from '#workers/benchmarking/publish-cells.ts';
import { governAsPerson } from '../../support/as-person.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';

const METRIC = 'reconciliation_match_rate';
const PERIOD = '2021-02';
/** The cells of February are published two days after the end of the month. */
const NOW = new Date('2021-03-03T00:00:00Z');

onOneBackend('GET /benchmarking/comparisons', (live) => {
  let members: Tenancy[];
  let stranger: Tenancy;

  const tenantOf = ({ workspace }: Tenancy): Tenant => ({ workspace, environment: 'production' });
  const join = (tenancy: Tenancy, at = '2021-01-15T00:00:00Z') =>
    governAsPerson(
      live(),
      joinBenchmarks,
      { workspace: tenancy.workspace, metrics: [METRIC], group: null },
      { tenant: tenantOf(tenancy), person: tenancy.person, now: new Date(at) },
    );
  const read = async ({ key }: Tenancy, query = `metric=${METRIC}&period=${PERIOD}`) => {
    const { status, body } = await clientOf(live(), key).get(`/benchmarking/comparisons?${query}&limit=200`);
    expect(status, JSON.stringify(body)).to.equal(200);
    // oxlint-disable-next-line no-explicit-any -- what comes over the wire is what the tests look at
    return body.data as any[];
  };
  const cell = (rows: Awaited<ReturnType<typeof read>>, cohort = 'all') =>
    rows.find((each) => each.cohort.key === cohort);

  /** Writes an observation with 20 lines, of which `matched` match. */
  const observe = ({ workspace }: Tenancy, matched: number, month = '2021-02') =>
    asSuperuser(live(), async (client) => {
      const lines = Array.from({ length: 20 }, (_, at) => ({ outcome: at < matched ? 'matched' : 'break' }));
      await client.query(`begin; set local session_replication_role = replica`);
      await client.query(
        `insert into custody_observation (uid, workspace_uid, environment, batch_uid, observation_reference, custodian,
           source_system, source_reference, source_hash, hash_grade, content, content_hash, last_seen_at, is_early,
           reconciliation, recorded_by_uid, recorded_at)
         values ('cob_' || $3 || $1, $1, 'production', 'bat_1', 'r' || $3, 'c', 's', 'r', 'h', 'opaque', '{}', 'h', now(), false,
           $2, 'app_1', ($3 || '-10')::timestamptz)`,
        [workspace, JSON.stringify({ lines }), month],
      );
      await client.query('commit');
    });

  before(async () => {
    const build = () => buildTenancy(live(), { environment: 'production' });
    members = await Promise.all(Array.from({ length: 7 }, build));
    stranger = await build();
    for (const [at, member] of members.entries()) {
      expect((await join(member)).ok).to.equal(true);
      await observe(member, 10 + at);
    }
    await observe(stranger, 1);
    expect((await assay(live(), 'benchmark', 'set-parameter', '--p', '12.5', '--json')).status).to.equal(0);
  });

  it('200 returns the same cell to every contributor, with the contributor’s own figure', async () => {
    const late = await buildTenancy(live(), { environment: 'production' });
    await observe(late, 20);
    await join(late, '2021-02-02T00:00:00Z'); // takes part from March on
    const [first, , , , , , leaver] = members as [Tenancy, ...Tenancy[]];
    await governAsPerson(
      live(),
      leaveBenchmarks,
      { workspace: leaver!.workspace },
      { tenant: tenantOf(leaver!), person: leaver!.person, now: new Date('2021-03-01T00:00:00Z') },
    );
    const cells = await publishBenchmarks(live().orm('worker'), NOW);
    expect(cells).to.be.greaterThan(6);
    const seen = await Promise.all(members.slice(0, 6).map((each) => read(each)));
    const all = seen.map((rows) => cell(rows));
    expect(all[0]).to.deep.include({
      unit: 'share',
      currency: null,
      status: 'contributing',
      own: { value: '0.50000000', position: null },
      distribution: { p10: null, p25: null, p50: '0.600', p75: null, p90: null },
      pooled: '0.625',
      suppressed: false,
      suppression_reason: null,
    });
    expect(all[0].cohort).to.include({ contributors_at_least: 5, method_version: METHOD_VERSION });
    expect(new Set(all.map(({ own: _, ...shared }) => JSON.stringify(shared))).size).to.equal(1);
    const {
      own: _,
      unit: __,
      uid: ___,
      status: ____,
      as_of: _____,
      suppressed: ______,
      cell_hash,
      cohort,
      ...rest
    } = all[0];
    const { contributors_at_least, method_version } = cohort;
    const hashed = { ...rest, cohort: cohort.key, contributors_at_least, method_version };
    expect(canonicalHash(hashed)).to.equal(cell_hash);
    expect(cell(seen[0]!, 'service_class:enterprise')).to.include({
      suppressed: true,
      suppression_reason: 'no_data',
    });

    // I-215
    const text = JSON.stringify(seen[0]);
    for (const other of [...members.slice(1), late]) expect(text).not.to.include(other.workspace);
    expect(text).not.to.include('12.5');

    const { json } = await assay(
      live(),
      'audit',
      'list',
      '--workspace',
      first.workspace,
      '--environment',
      'production',
      '--json',
    );
    expect(json.data.map((each: { op: string }) => each.op)).to.include.members([
      'benchmark.joined',
      'benchmark.cell_published',
    ]);
  });

  // I-212
  it('200 returns the same frozen cells after later passes', async () => {
    const before = await read(members[0]!);
    expect(await publishBenchmarks(live().orm('worker'), NOW)).to.equal(0);
    expect(await read(members[0]!)).to.deep.equal(before);
  });

  it('200 returns no figure to a workspace that did not contribute', async () => {
    for (const reader of [stranger, members[6]!]) {
      const found = cell(await read(reader));
      expect(found).to.deep.include({
        status: 'not_contributing',
        own: { value: null, position: null },
        distribution: null,
        pooled: null,
      });
      expect(found.cohort.contributors_at_least).to.equal(null);
    }
  });

  // I-215
  it('names no other workspace, no exact number of contributors and no secret parameter in any answer', async () => {
    const { status, body } = await clientOf(live(), members[0]!.key).get(
      '/benchmarking/comparisons?limit=200',
    );
    expect(status).to.equal(200);
    const text = JSON.stringify(body);
    expect(text.match(/wsp_[0-9A-Z]{26}/g)).to.equal(null);
    expect(text).not.to.include('12.5');
    for (const { cohort, ...rest } of body.data) {
      expect([null, 5, 10, 20, 50, 100]).to.include(cohort.contributors_at_least);
      expect(rest).not.to.have.any.keys('groups', 'reason', 'pooled_reason', 'p_percent');
    }
  });

  it('422 for an open month and for unknown metrics and cohorts', async () => {
    const client = clientOf(live(), stranger.key);
    const ask = async (query: string) => (await client.get(`/benchmarking/comparisons?${query}`)).body.code;
    expect(await ask('period=2099-12')).to.equal('period_open');
    expect(await ask('period=0000-01')).to.equal('validation_failed');
    expect(await ask(`cohort=${encodeURIComponent("all' or 1=1")}`)).to.equal('validation_failed');
    expect(await ask('metric=salaries')).to.equal('validation_failed');
  });

  it('reports only to operators why a cell is withheld', async () => {
    const { json } = await assay(
      live(),
      'benchmark',
      'cells',
      '--why',
      '--period',
      PERIOD,
      '--metric',
      METRIC,
      '--json',
    );
    const reasons = json.data.map((each: { cohort: string; reason: string | null }) => [
      each.cohort,
      each.reason,
    ]);
    expect(reasons).to.deep.include.members([
      ['all', null],
      ['service_class:enterprise', 'no_data'],
    ]);
    for (const table of ['benchmark_parameter', 'benchmark_cell_basis']) {
      const refused = await inTenant(live().orm('api'), tenantOf(members[0]!), (em) =>
        sql`select * from ${sql.table(table)}`.execute(em.getKysely()),
      ).then(
        () => 'allowed',
        (error: { code?: string }) => error.code,
      );
      expect(refused).to.equal('42501');
    }
  });

  it('withholds a cell of the next month if one workspace joined and the figures of the others stayed equal', async () => {
    const joiner = await buildTenancy(live(), { environment: 'production' });
    await join(joiner, '2021-02-10T00:00:00Z');
    for (const [at, member] of members.slice(0, 6).entries()) await observe(member, 10 + at, '2021-03');
    await observe(joiner, 20, '2021-03');
    expect(await publishBenchmarks(live().orm('worker'), new Date('2021-04-03T00:00:00Z'))).to.be.greaterThan(
      6,
    );
    const all = cell(await read(members[0]!, `metric=${METRIC}&period=2021-03`));
    expect(all).to.include({ suppressed: true, suppression_reason: 'confidential', pooled: null });
    const { json } = await assay(
      live(),
      ...['benchmark', 'cells', '--why', '--period', '2021-03', '--metric', METRIC, '--json'],
    );
    const why = json.data.find((each: { cohort: string }) => each.cohort === 'all');
    expect(why.reason).to.equal('months');
  });

  it('refuses a second join and a second departure', async () => {
    expect(await join(members[0]!)).to.include({ ok: false, code: 'already_joined' });
    const by = { tenant: tenantOf(stranger), person: stranger.person };
    const left = await governAsPerson(live(), leaveBenchmarks, { workspace: stranger.workspace }, by);
    expect(left).to.include({ ok: false, code: 'not_joined' });
  });

  it('measures false answers only in the gate evaluations of question models', async () => {
    const own = await buildTenancy(live(), { environment: 'production' });
    const window = { from: new Date('2021-02-01T00:00:00Z'), to: new Date('2021-03-01T00:00:00Z') };
    const measured = () =>
      inTenant(live().orm('worker'), tenantOf(own), (em) => measure(em, 'qlm_false_answer_rate', window));
    const evaluate = (name: string, result: object) =>
      asSuperuser(live(), async (client) => {
        const uid = `qle_0${name.padStart(25, '0')}`;
        await client.query(`begin; set local session_replication_role = replica`);
        await client.query(
          `insert into run (uid, workspace_uid, environment, application_uid, kind, state, model_key, model_version,
             input, summary, input_hash, dataset_revisions, request_id, created_at, started_at, finished_at)
           values ($1, $2, 'production', $3, 'modeling.qlm-evaluations', 'succeeded', 'm', '1', '{}', '{}', 'h', '{}',
             'req_1', '2021-02-10', '2021-02-10', '2021-02-10')`,
          [uid, own.workspace, own.application],
        );
        await client.query(`insert into run_result values ($1, $2, 'production', $3, 'h', '{}', '{}')`, [
          uid,
          own.workspace,
          JSON.stringify({ result }),
        ]);
        await client.query('commit');
      });
    await evaluate('1', { counts_for_gate: true, false_answers: { k: 1, n: 15 } });
    expect(await measured()).to.deep.equal([]);
    await evaluate('2', { counts_for_gate: false, false_answers: { k: 9, n: 90 } });
    expect(await measured()).to.deep.equal([]);
    await evaluate('3', { counts_for_gate: true, false_answers: { k: 2, n: 25 } });
    expect(await measured()).to.deep.equal([{ currency: null, value: '0.07500000', weight: '40' }]);
  });
});
