import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Backend } from './backends.ts';
import { asSuperuser } from './rows.ts';

let made = 0;

/** Creates a benchmark cell without contributors and returns its uid. Every workspace can read the cell. */
export async function createCell(backend: Pick<Backend, 'superuserUrl'>, cohort?: unknown): Promise<string> {
  made += 1;
  const uid = newUid(prefixes.benchmarkCell);
  await asSuperuser(backend, (client) =>
    client.query(
      `insert into benchmark_cell (uid, period, metric, cohort, method_version, suppression_reason, cell_hash, as_of)
       values ($1, '2001-01', 'workflow_success_rate', $2, 'svc.benchmark/1', 'no_data', $3, now())`,
      [uid, cohort === 'all' ? 'all' : `region:r${process.pid}-${made}`, 'ab'.repeat(32)],
    ),
  );
  return uid;
}
