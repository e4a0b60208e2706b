import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { migrations } from '#lib/database/migrations/index.ts';
import { databaseName } from '#lib/database/roles.ts';
import type { Readiness } from '#lib/ops/health.ts';
import { isPooled } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { importTiny } from '../support/import.ts';
import { onEachBackend } from '../support/live.ts';
import { metricOf } from '../support/metrics.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually } from '../support/runs.ts';

const FACTORS = '/investment/theme-watch/factors';
const NEWEST = migrations.at(-1)!.name;
const CHECKS = ['database', 'migrations', 'queue', 'notices', ...(isPooled ? ['limits'] : [])];
const PARTS = ['api', 'worker-numerics-1', 'worker-io', 'scheduler'];

onEachBackend('The operational endpoints', (live) => {
  let resume = () => {};
  afterEach(() => resume());

  const ops = (part: string) => live().opsUrls.get(part)!;
  const readiness = async (part: string) => {
    const answer = await fetch(`${ops(part)}/readyz`);
    return { code: answer.status, ...((await answer.json()) as Readiness) };
  };

  /**
   * Waits until a part has the given readiness. A check fails if it is not answered within one second. The
   * wait then continues, because a slow machine may take longer.
   */
  const reaches = (part: string, status: Readiness['status']) =>
    eventually(async () => {
      const found = await readiness(part);
      return found.status === status && found;
    }, `${part} is ${status}`);

  it('show the health of each part and the checks behind its readiness', async () => {
    for (const part of PARTS) {
      expect((await fetch(`${ops(part)}/healthz`)).status, part).to.equal(200);
      const ready = await reaches(part, 'ready');
      expect(ready, part).to.deep.include({ code: 200, draining: false });
      expect(Object.keys(ready.checks)).to.deep.equal(CHECKS);
      for (const check of Object.values(ready.checks)) expect(check.ok).to.equal(true);
    }
  });

  it('are served by processes that have only their own secrets', async function () {
    if (process.platform !== 'linux') this.skip();
    for (const part of PARTS) {
      const text = await readFile(`/proc/${live().pid(part)}/environ`, 'utf8');
      const given = new Map(text.split('\0').map((line) => line.split(/=(.*)/s) as [string, string]));
      expect(given.has('OPS_PASSWORD'), part).to.equal(part === 'api');
      const { username } = new URL(given.get('DATABASE_URL')!);
      expect(username, part).to.match(part === 'api' ? /_api$/ : /_worker$/);
    }
  });

  it('hide the metrics and the reasons for a failed check from the public', async () => {
    const answer = await fetch(`${live().url}/readyz`);
    expect(await answer.json()).to.deep.equal({ status: 'ready' });
    expect((await fetch(`${live().url}/metrics`)).status).to.equal(404);
  });

  it('count requests, jobs, seals and the content of the queues', async () => {
    const tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
    const client = clientOf(live(), tenancy.key);
    const request = { operation: 'investment.theme_watch.factors.create', method: 'POST' };
    const kind = { kind: 'investment.theme-factors' };
    const counts = {
      created: ['api', 'assay_http_requests_total', { ...request, status: '201' }],
      refused: ['api', 'assay_http_requests_total', { ...request, status: '503' }],
      timed: ['api', 'assay_http_request_duration_seconds_count', request],
      seals: ['worker-numerics-1', 'assay_seals_total', kind],
      sealedJobs: ['worker-numerics-1', 'assay_job_outcomes_total', { ...kind, outcome: 'sealed' }],
      refusedJobs: ['worker-numerics-1', 'assay_job_outcomes_total', { ...kind, outcome: 'refused' }],
    } as const;
    const read = async () => {
      const values: Record<string, number> = {};
      for (const [name, [part, metric, labels]] of Object.entries(counts)) {
        values[name] = (await metricOf(ops(part), metric, labels)) ?? 0;
      }
      return values;
    };
    const before = await read();
    for (let run = 0; run < 3; run++) expect((await client.post(FACTORS, {})).status).to.equal(201);
    expect((await client.post(FACTORS, { as_of_date: '1999-12-31' })).status).to.equal(503);
    // A run is counted only after its answer was sent, so the count may be lower at first.
    await eventually(async () => {
      const { refusedJobs, sealedJobs } = await read();
      return refusedJobs! > before['refusedJobs']! && sealedJobs! >= before['sealedJobs']! + 3;
    });
    const after = await read();
    const growth = Object.fromEntries(
      Object.keys(counts).map((name) => [name, after[name]! - before[name]!]),
    );
    expect(growth).to.include({ created: 3, refused: 1, timed: 4 });
    // A run of an earlier test may end meanwhile, so the counts may be higher.
    expect(growth['seals']).to.be.at.least(3);
    expect(growth['sealedJobs']).to.be.at.least(3);
    expect(growth['refusedJobs']).to.be.at.least(1);
    for (const phase of ['load', 'compute', 'seal', 'total']) {
      const labels = { ...kind, phase };
      const metric = 'assay_job_duration_seconds_count';
      expect(await metricOf(ops('worker-numerics-1'), metric, labels), phase).to.be.at.least(3);
    }
    const queue = { queue: 'numerics' };
    const completed = { ...queue, state: 'completed' };
    await eventually(async () => (await metricOf(ops('scheduler'), 'assay_queue_jobs', completed))! >= 4);
    expect(await metricOf(ops('scheduler'), 'assay_queue_oldest_seconds', queue)).to.equal(0);
    expect(await metricOf(ops('api'), 'assay_event_loop_lag_seconds')).to.be.a('number');
    expect(await metricOf(ops('api'), 'assay_database_connections', { state: 'idle' })).to.be.at.least(1);
  });

  it('show how long the oldest run has waited and how many runs wait for admission', async () => {
    const tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
    const client = clientOf(live(), tenancy.key);
    const worker = live().pid('worker-numerics-1')!;
    process.kill(worker, 'SIGSTOP');
    resume = () => process.kill(worker, 'SIGCONT');
    for (let run = 0; run < 18; run++) await client.post(FACTORS, {}, { prefer: 'respond-async' });
    const queue = { queue: 'numerics' };
    expect(await metricOf(ops('scheduler'), 'assay_queue_oldest_seconds', queue)).to.be.greaterThan(0);
    expect(await metricOf(ops('scheduler'), 'assay_runs_waiting', queue)).to.equal(2);
    resume();
    await eventually(
      async () => (await metricOf(ops('scheduler'), 'assay_queue_oldest_seconds', queue)) === 0,
    );
  });

  it('report an outage of the database and recover automatically', async () => {
    const role = `${databaseName(live().ownerUrl)}_api`;
    await asSuperuser(live(), async (database) => {
      await database.query(`alter role ${role} connection limit 0`);
      await database.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
        role,
      ]);
    });
    const down = await reaches('api', 'not_ready');
    expect(down.code).to.equal(503);
    expect(down.checks['database']!.reason).to.be.a('string');
    await asSuperuser(live(), (database) => database.query(`alter role ${role} connection limit -1`));
    await reaches('api', 'ready');
  });

  it('report a schema that is older than the code', async () => {
    const rename = (from: string, to: string) =>
      asSuperuser(live(), (database) =>
        database.query('update mikro_orm_migrations set name = $2 where name = $1', [from, to]),
      );
    await rename(NEWEST, 'another');
    const old = await eventually(async () => {
      const found = await readiness('worker-io');
      return (found.checks['migrations']!.reason ?? '').includes(NEWEST) && found;
    });
    await rename('another', NEWEST);
    expect(old).to.deep.include({ code: 503, status: 'not_ready' });
  });

  it('report degraded but ready while Redis does not respond', async function () {
    const redis = live().redis?.process;
    if (!redis) this.skip();
    redis.kill('SIGSTOP');
    const hanging = await reaches('api', 'degraded').finally(() => redis.kill('SIGCONT'));
    expect(hanging.code).to.equal(200);
    expect(hanging.checks['queue']).to.include({ ok: false, reason: 'no answer within 1000 ms' });
    await reaches('api', 'ready');
  });
});
