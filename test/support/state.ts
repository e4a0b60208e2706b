import { Client } from 'pg';
import type { Backend } from './backends.ts';
import { PATIENCE_MS } from './patience.ts';

/** Queries of rows that change only while services work. */
const MOVING = {
  runs: `select kind, state, count(*), sum(attempts) as attempts, sum(progress) as progress
    from run group by kind, state order by kind, state`,
  'parts of runs': 'select count(*) from run_part',
  dispatch: 'select count(*), count(tag) as admitted from dispatch',
  'audit entries': 'select max(id), (select count(*) from audit_pending) as pending from audit_entry',
  events: 'select count(*) from event',
  // After the death of a worker, its deliveries are due when their leases expire. During such a wait nothing
  // else changes, so the state contains the time until the next delivery is due.
  'webhook deliveries': `select state, count(*), sum(attempts) as attempts,
    ceil(greatest(0, extract(epoch from min(due_at) - now())) / 20) * 20 as due_within_s
    from webhook_delivery group by state order by state`,
  'workflow runs': 'select state, count(*) from workflow_run group by state order by state',
  'workflow steps': `select state, count(*), sum(attempts) as attempts
    from workflow_step group by state order by state`,
  'workflow jobs': 'select count(*), (select count(*) from workflow_meter) as metered from workflow_step_run',
  'feature materialisations': `select state, count(*), sum(entities_done) as done
    from feature_materialisation group by state order by state`,
  imports: 'select count(*) from dataset_import',
  'forecast scores': 'select count(*) from forecast_score',
  'calls of models': 'select count(*), count(ended_at) as ended from ai_call',
  'agent invocations': 'select count(*) from agent_invocation',
  wordings: 'select count(*), count(text) as written from summary_wording',
  'value snapshots': 'select count(*) from value_snapshot',
} as const;

const PARTS = ['api', 'worker-numerics-1', 'worker-io', 'scheduler'] as const;

const running = new Map<Backend, string>();

/** Adds a backend to the backends of this process until `forget` is called. */
export function watchState(backend: Backend, database: string): { forget(): void } {
  running.set(backend, database);
  return { forget: () => void running.delete(backend) };
}

/**
 * Describes the progress of this process's services, in a text that changes when a service makes progress.
 */
export async function readState(): Promise<string> {
  const states = [...running].map(async ([backend, database]) => {
    const pids = PARTS.map((part) => `${part} ${backend.pid(part) ?? 'has none'}`).join(', ');
    const reported = [`${backend.notices.length} lines`, ...backend.notices.slice(-1)].join(', the last: ');
    return [database, `processes: ${pids}`, `told: ${reported}`, ...(await readRows(backend))].join('\n  ');
  });
  return (await Promise.all(states)).join('\n') || 'none runs';
}

/** Reads the rows that show progress. An unavailable database is also a state that can be compared. */
async function readRows(backend: Backend): Promise<string[]> {
  const client = new Client({
    connectionString: backend.superuserUrl,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query(QUERY);
    const found = Object.entries(rows[0].state).filter(([, value]) => value !== null);
    return found.map(([what, value]) => `${what}: ${JSON.stringify(value)}`);
  } catch (error) {
    return [`database: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await client.end().catch(() => {});
  }
}

const QUERY = `select json_build_object(${Object.entries(MOVING)
  .map(([what, query]) => `'${what}', (select json_agg(row_to_json(each)) from (${query}) each)`)
  .join(', ')}) as state`;
