import { sql } from 'kysely';
import { Problem } from '#lib/core/problem.ts';
import { serviceClassLimits, tenantOf, type ServiceClass, type Em } from '#lib/database/base.ts';

/**
 * Retry delay in seconds that the refusal states while the queue is full. The delay is an estimate, because it is not
 * known when the current runs will end.
 */
const RETRY_AFTER_S = '10';

export type QueueLoad = { runs: number; bytes: number };

type Bound = { name: 'queued_runs' | 'queued_bytes'; max: number; now: number; wanted: number };

/**
 * Refuses runs that exceed the queue limit of the current tenant. The refusal is `queue_full` if a later attempt can
 * succeed, and `batch_too_large` if the request alone exceeds the limit. Each item of a batch counts as a run.
 * Concurrent submissions do not see one another. The limit can therefore be exceeded by up to one submission per
 * database connection.
 */
export async function requireQueueRoom(em: Em, wanted: QueueLoad): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ serviceClass: ServiceClass; runs: number; bytes: number }>`
    select w.service_class as "serviceClass", count(d.run_uid)::float8 as runs,
      coalesce(sum(d.input_bytes), 0)::float8 as bytes
    from workspace w left join dispatch d on d.workspace_uid = w.uid and d.environment = ${environment}
    where w.uid = ${workspace} group by w.uid
  `.execute(em.getKysely());
  const { serviceClass, runs, bytes } = rows[0]!;
  const { queuedRuns, queuedBytes } = serviceClassLimits[serviceClass];
  const bounds: Bound[] = [
    { name: 'queued_runs', max: queuedRuns, now: runs, wanted: wanted.runs },
    { name: 'queued_bytes', max: queuedBytes, now: bytes, wanted: wanted.bytes },
  ];
  for (const bound of bounds) if (bound.now + bound.wanted > bound.max) throw refusal(bound, serviceClass);
}

function refusal({ name, max, now, wanted }: Bound, serviceClass: ServiceClass): Problem {
  const what = name === 'queued_runs' ? 'runs' : 'bytes of inputs';
  const members = { bound: name, limit: max, queued: now, requested: wanted, service_class: serviceClass };
  if (wanted > max) {
    const detail = `The request has ${wanted} ${what}. The service class ${serviceClass} allows ${max} in the queue of a workspace.`;
    return new Problem('batch_too_large', detail, { members });
  }
  return new Problem(
    'queue_full',
    `The queue of the workspace holds ${now} ${what}, and this request adds ${wanted}. The service class ${serviceClass} allows ${max}.`,
    { members, headers: { 'Retry-After': RETRY_AFTER_S } },
  );
}
