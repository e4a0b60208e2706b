import { expect } from 'chai';
import fc from 'fast-check';
import { Client } from 'pg';
import type { Orm } from '#lib/database/base.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { FairAdmission } from '../../capacity/simulation/admission.ts';
import { freshDatabase, testCluster } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { times } from '../../support/repetitions.ts';

const DATABASE = `assay_test_simulated_admission_${process.env['TEST_PART'] ?? '0'}`;
const WORKSPACES = 3;
const RUNNING_MAX = 3;
const LIMITS = JSON.stringify({ standard: RUNNING_MAX });

type Step = { kind: 'submit'; workspace: number } | { kind: 'start' } | { kind: 'end'; which: number };

// Figures of the simulation are about Assay only if it follows the rule of the database.
describe('The simulated admission of runs', () => {
  let operator: Orm;
  let superuser: Client;
  let worker: Client;
  const workspaces: string[] = [];

  before(async () => {
    const ownerUrl = await freshDatabase(DATABASE);
    operator = openOrm(roleUrl(ownerUrl, 'operator'), 2);
    for (let at = 0; at < WORKSPACES; at += 1) {
      workspaces.push((await buildTenancy({ orm: () => operator })).workspace);
    }
    superuser = new Client({ connectionString: (await testCluster()).superuserUrl(DATABASE) });
    worker = new Client({ connectionString: roleUrl(ownerUrl, 'worker') });
    await Promise.all([superuser.connect(), worker.connect()]);
    // Dispatch records are written without the records of their runs.
    await superuser.query('set session_replication_role = replica');
  });
  after(async () => {
    await Promise.all([superuser?.end(), worker?.end()]);
    await operator?.close();
  });

  it('gives each run the same turn as the functions of the database, in any order of events', async () => {
    const anyStep: fc.Arbitrary<Step> = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ kind: fc.constant('submit' as const), workspace: fc.nat(WORKSPACES - 1) }),
      },
      { weight: 3, arbitrary: fc.constant({ kind: 'start' as const }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat(9) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (steps) => {
        await superuser.query('delete from dispatch');
        const admission = new FairAdmission<string>({ runningMax: RUNNING_MAX, queuedMax: Infinity });
        const open: string[] = [];
        const started: string[] = [];
        for (const step of steps) {
          if (step.kind === 'submit') {
            const run = `run_${String(open.length).padStart(3, '0')}`;
            open.push(run);
            admission.submit(run, step.workspace);
            await submit(run, workspaces[step.workspace]!);
          } else if (step.kind === 'start') {
            const run = admission.start();
            if (run === undefined) continue;
            started.push(run);
            await superuser.query('update dispatch set started_at = now() where run_uid = $1', [run]);
          } else {
            const [run] = started.splice(step.which % Math.max(1, started.length), 1);
            if (run === undefined) continue;
            admission.end(run);
            await end(run);
          }
          const tags = new Map(open.map((run) => [run, admission.tagOf(run)]));
          for (const { run_uid: run, tag } of await dispatched())
            expect(tag ?? undefined).to.equal(tags.get(run));
        }
      }),
      { numRuns: times({ usual: 15, full: 60, all: 300 }) },
    );
  });

  async function submit(run: string, workspace: string): Promise<void> {
    const { rows } = await worker.query(`select turn_of_run('numerics', $1, $2::jsonb) as tag`, [
      workspace,
      LIMITS,
    ]);
    await superuser.query(
      `insert into dispatch (run_uid, workspace_uid, environment, kind, queue, created_at, tag)
       values ($1, $2, 'sandbox', 'any', 'numerics', now(), $3)`,
      [run, workspace, rows[0].tag],
    );
  }

  async function end(run: string): Promise<void> {
    const { rows } = await superuser.query(
      'delete from dispatch where run_uid = $1 returning workspace_uid',
      [run],
    );
    await worker.query(`select * from admit_waiting_runs('numerics', $1, $2::jsonb)`, [
      rows[0].workspace_uid,
      LIMITS,
    ]);
  }

  async function dispatched(): Promise<{ run_uid: string; tag: number | null }[]> {
    return (await superuser.query('select run_uid, tag from dispatch')).rows;
  }
});
