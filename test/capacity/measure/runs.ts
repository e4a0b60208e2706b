import { readFileSync } from 'node:fs';
import { median } from 'simple-statistics';
import type { Client } from 'pg';
import { startBackend, type BackendName } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { FORECASTS, importEconomics } from '../../support/forecast.ts';
import { importSample } from '../../support/import.ts';
import { serveModel } from '../../support/numeric-model.ts';
import { REDIS_DURABILITY } from '../../bench/durability.ts';
import { timesUntil, type Load } from '../../bench/load.ts';
import { startAssay } from '../../bench/peers/assay-stack.ts';
import { redisPids, type Request } from '../../bench/peers/stack.ts';
import { childrenOf } from '../../bench/processor-time.ts';
import type { Cost } from '../cost.ts';
import type { Measured } from '../measured.ts';
import { costsOf, type Slice, type Subject } from './cost-between.ts';
import type { Place } from './place.ts';

/** Requests in flight. */
const LANES = 4;
const COUNTS = {
  full: { no_op_run: 600, read: 2_000, forecast_run: 80, scenario_run: 80, factor_run: 80 },
  quick: { no_op_run: 6, read: 6, forecast_run: 2, scenario_run: 2, factor_run: 2 },
};

/**
 * The most connections of an API process (pool, notices, its two queues) and of a worker with two places (pool, notices,
 * queue, consumer), with the default configuration.
 */
const CONNECTIONS: Record<BackendName, Measured['footprint']['connections']> = {
  redis: { api: 11, worker: 7 },
  postgres: { api: 19, worker: 16 },
};

type Plain = { no_op_run: Cost; read: Cost };
type Computed = Record<'forecast_run' | 'scenario_run' | 'factor_run', Cost>;

/** Measures a run that computes nothing, and the read of a run. */
export async function measurePlainRuns(place: Place): Promise<Plain> {
  const counts = place.quick ? COUNTS.quick : COUNTS.full;
  place.notify(`${counts.no_op_run} runs that compute nothing, and ${counts.read} reads`);
  const stack = await startAssay(place.cluster, 'capacity', place.queue);
  try {
    return await place.asSuperuser(stack.database, async (superuser) => {
      const slices = {
        no_op_run: slice(stack.job, counts.no_op_run),
        read: slice(stack.read, counts.read),
      };
      for (const each of Object.values(slices)) await each.work();
      const since = new Date();
      const subject = subjectOf(place, { ...stack, superuser });
      const { costs } = await costsOf(subject, slices);
      return withPlaces(superuser, costs, since, { 'bench.no-op': 'no_op_run' });
    });
  } finally {
    await stack.stop();
  }
}

/** Measures the runs of the product on the shipped sample, and the memory of its processes. */
export async function measureComputedRuns(
  place: Place,
): Promise<{ costs: Computed; footprint: Measured['footprint'] }> {
  const counts = place.quick ? COUNTS.quick : COUNTS.full;
  const database = 'assay_capacity_runs';
  place.notify(`${counts.factor_run} runs each of forecasts, scenarios and theme factors`);
  const variables = { VALIDATE_RESPONSES: 'false', NUMERICS_WORKERS: '1' };
  const redisDurability = { redisDurability: REDIS_DURABILITY };
  const backend = await startBackend(place.queue, database, variables, place.cluster, redisDurability);
  try {
    const tenancy = await buildTenancy(backend);
    await importSample(backend, tenancy.workspace);
    await importEconomics(backend, tenancy.workspace);
    await serveModel(backend, tenancy);
    const request = (path: string, body: object): Request => ({
      url: `${backend.url}/api/v2${path}`,
      method: 'POST',
      headers: {
        authorization: `Bearer ${tenancy.key}`,
        'content-type': 'application/json',
        prefer: 'wait=60',
      },
      body: JSON.stringify(body),
      status: 201,
    });
    const slices = {
      forecast_run: slice(request(FORECASTS, { metric: 'economics.GDPC1', horizon: 8 }), counts.forecast_run),
      scenario_run: slice(
        request('/generative/scenarios', { regime: 'ergodic', samples: 10_000 }),
        counts.scenario_run,
      ),
      factor_run: slice(
        request('/investment/theme-watch/factors', { as_of_date: '2020-09-30', history_months: 60 }),
        counts.factor_run,
      ),
    };
    const pid = (name: string) => backend.pid(name)!;
    const pids = {
      api: [pid('api')],
      worker: [pid('worker-numerics-1'), pid('worker-io'), pid('scheduler')],
      redis: backend.redis ? redisPids(backend.redis) : [],
    };
    return await place.asSuperuser(database, async (superuser) => {
      for (const each of Object.values(slices)) await each.work();
      const since = new Date();
      const redisUrl = backend.redis?.url;
      const subject = subjectOf(place, { database, pids, redisUrl, superuser });
      const { costs, idleMsPerS } = await costsOf(subject, slices);
      const kinds = {
        'planning.forecasts': 'forecast_run',
        'generative.scenarios': 'scenario_run',
        'investment.theme-factors': 'factor_run',
      } as const;
      const footprint: Measured['footprint'] = {
        memoryMb: {
          api: residentMb(pid('api')),
          worker: residentMb(pid('worker-numerics-1')),
          scheduler: residentMb(pid('scheduler')) + residentMb(pid('worker-io')),
          connection: await connectionMb(await place.cluster.pid()),
          redis: pids.redis.reduce((sum, each) => sum + residentMb(each), 0),
        },
        connections: CONNECTIONS[place.queue],
        idleMsPerS,
      };
      return { costs: await withPlaces(superuser, costs, since, kinds), footprint };
    });
  } finally {
    await backend.stop();
  }
}

function slice(request: Request, units: number): Slice {
  const load: Load = { ...request, clients: LANES, forMs: 0 };
  return { units, work: () => timesUntil(load, LANES, (sent) => sent >= units) };
}

function subjectOf(place: Place, of: Omit<Subject, 'proxy' | 'waitsForCounts'>): Subject {
  return { ...of, proxy: place.proxy, waitsForCounts: !place.quick };
}

/** Adds how long runs of each kind took one of the places of a worker, as the median of those since a moment. */
async function withPlaces<Costs extends Record<string, Cost>>(
  superuser: Client,
  costs: Costs,
  since: Date,
  kinds: Readonly<Record<string, string>>,
): Promise<Costs> {
  const { rows } = await superuser.query<{ kind: string; ms: number[] }>(
    `select kind, array_agg(extract(epoch from finished_at - started_at)::float8 * 1000) as ms
     from run where started_at >= $1 and finished_at is not null group by kind`,
    [since],
  );
  const placed = rows.flatMap(({ kind, ms }) => {
    const unit = kinds[kind];
    return unit === undefined ? [] : [[unit, { ...costs[unit]!, slotMs: median(ms) }] as const];
  });
  return { ...costs, ...Object.fromEntries(placed) };
}

function residentMb(pid: number): number {
  const [, kb] = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))!;
  return (Number(kb) * 1_024) / 1e6;
}

/** Returns the memory of a connection that no other process shares: the median of the processes of the server. */
async function connectionMb(server: number): Promise<number> {
  return median(
    childrenOf(server).map((pid) => {
      const content = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
      const kb = [...content.matchAll(/^Private_\w+:\s*(\d+) kB/gm)].reduce(
        (sum, [, each]) => sum + Number(each),
        0,
      );
      return (kb * 1_024) / 1e6;
    }),
  );
}
