import type { Backend } from '../../support/backends.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { asSuperuser } from '../../support/rows.ts';
import { publishWorkflow } from '../../support/workflow.ts';
import type { BenchContext, Row } from '../bench.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { latencyOf } from './latency.ts';

const ROUNDS = { full: 9, tiny: 1 };
const MANY = { full: 1_000_000, tiny: 200 };
const FEW = { full: 10_000, tiny: 100 };
/** The number of newest runs that have a step. It is larger than the number of runs on the pages that are read. */
const WITH_STEPS = 200;

/**
 * Measures a page of workflow runs in a workspace with many runs, compared with such a page in a workspace with few
 * runs.
 */
export async function runPageRows(
  bench: string,
  { size, notify }: BenchContext,
  backend: Backend,
): Promise<Row[]> {
  const [many, few] = [await buildTenancy(backend), await buildTenancy(backend)];
  notify(`writing ${MANY[size]} workflow runs`);
  await fillRuns(backend, few, { count: FEW[size], digit: '1' });
  await fillRuns(backend, many, { count: MANY[size], digit: '2' });
  await asSuperuser(backend, (client) => client.query('vacuum analyze workflow_run, workflow_step'));
  const page = ({ key }: Tenancy, query: string) =>
    latencyOf(size, {
      ...{ method: 'GET', status: 200, headers: { authorization: `Bearer ${key}` } },
      url: `${backend.url}/api/v2/workflows/runs?limit=50${query}`,
    });
  const rows: Row[] = [];
  for (const [name, query] of [
    ['a page of workflow runs', ''],
    ['a page of failed workflow runs', '&state=failed'],
  ] as const) {
    const sides = { subject: () => page(many, query), peer: () => page(few, query) };
    if (size === 'full') await interleave(1, sides);
    const figures = await interleave(ROUNDS[size], sides);
    const note = `of 50 runs, one client; ${MANY[size]} runs in the workspace; the peer has ${FEW[size]}; one of 20 failed`;
    rows.push(ratioRow({ bench, case: name, unit: 'ms', note }, figures, { max: 1.5 }));
  }
  return rows;
}

/** Writes ended runs directly, without admissions. The newest ones have a step. */
async function fillRuns(
  backend: Backend,
  tenancy: Tenancy,
  { count, digit }: { count: number; digit: string },
): Promise<void> {
  const { workspace, application, person } = tenancy;
  const version = await publishWorkflow(backend, tenancy);
  await asSuperuser(backend, async (client) => {
    await client.query(`set session_replication_role = replica`); // no admissions and no triggers
    const uid = `'0' || '${digit}' || lpad(n::text, 24, '0')`;
    await client.query(
      `insert into workflow_run (uid, workspace_uid, environment, admission_uid, version_uid, workflow_key,
         application_uid, requested_by_uid, parameters, inputs_hash, state, outputs_hash, created_at, deadline_at, ended_at)
       select 'wfr_' || ${uid}, $1, 'sandbox', 'wfa_' || ${uid}, $2, $3, $4, $5, '{}', repeat('a', 64),
         case when n % 20 = 0 then 'failed' else 'succeeded' end, case when n % 20 = 0 then null else repeat('b', 64) end,
         timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2027-01-01',
         timestamptz '2026-01-01' + (n + 5) * interval '1 second'
       from generate_series(1, $6::int) n`,
      [workspace, version.uid, version.key, application, person, count],
    );
    await client.query(
      `insert into workflow_step (workspace_uid, environment, run_uid, position, key, state, attempts, started_at, ended_at)
       select $1, 'sandbox', 'wfr_' || ${uid}, 0, 'ask', 'succeeded', 1, now(), now()
       from generate_series(greatest(1, $2::int - ${WITH_STEPS} * 20), $2::int) n`,
      [workspace, count],
    );
    await client.query(`reset session_replication_role`);
  });
}
