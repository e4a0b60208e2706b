import { sql, type RawBuilder } from 'kysely';
import { Problem } from '#lib/core/problem.ts';
import { serviceClassLimits, tenantOf, type Em, type ServiceClass, type Tenant } from '#lib/database/base.ts';

/**
 * Retry delay in seconds that the refusal states while the queue is full. The delay is an estimate, because it is not
 * known when the current runs will end.
 */
const RETRY_AFTER_S = '10';

/** The bounds of the queue for each service class, for SQL. */
export const queueLimits = JSON.stringify(
  Object.fromEntries(
    Object.entries(serviceClassLimits).map(([name, { queuedRuns, queuedBytes }]) => [
      name,
      { runs: queuedRuns, bytes: queuedBytes },
    ]),
  ),
);

export type QueueLoad = { runs: number; bytes: number };

type Bound = { name: 'queued_runs' | 'queued_bytes'; max: number; now: number; wanted: number };

/**
 * Refuses runs that exceed the queue limit of the current tenant. The refusal is `queue_full` if a later attempt can
 * succeed, and `batch_too_large` if the request alone exceeds the limit. Each item of a batch counts as a run.
 * Concurrent submissions do not see one another. The limit can therefore be exceeded by up to one submission per
 * database connection.
 */
export async function requireQueueRoom(em: Em, wanted: QueueLoad): Promise<void> {
  const { rows } = await queueUseOf(tenantOf(em)).execute(em.getKysely());
  const refused = roomRefusal(rows[0]!, wanted);
  if (refused) throw refused;
}

/** The runs in the queue of a tenant with the bytes of their inputs, and the service class of the workspace. */
export type QueueUse = QueueLoad & { serviceClass: ServiceClass };

/** Returns the SQL that reads the queue use of a tenant: one row. */
export function queueUseOf({ workspace, environment }: Tenant): RawBuilder<QueueUse> {
  return sql<QueueUse>`
    select w.service_class as "serviceClass", count(d.run_uid)::float8 as runs,
      coalesce(sum(d.input_bytes), 0)::float8 as bytes
    from workspace w left join dispatch d on d.workspace_uid = w.uid and d.environment = ${environment}
    where w.uid = ${workspace} group by w.uid
  `;
}

/** Returns the refusal of runs that exceed the queue limit, or undefined if the queue has room for them. */
export function roomRefusal({ serviceClass, runs, bytes }: QueueUse, wanted: QueueLoad): Problem | undefined {
  const { queuedRuns, queuedBytes } = serviceClassLimits[serviceClass];
  const bounds: Bound[] = [
    { name: 'queued_runs', max: queuedRuns, now: runs, wanted: wanted.runs },
    { name: 'queued_bytes', max: queuedBytes, now: bytes, wanted: wanted.bytes },
  ];
  const exceeded = bounds.find((bound) => bound.now + bound.wanted > bound.max);
  return exceeded && refusal(exceeded, serviceClass);
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
