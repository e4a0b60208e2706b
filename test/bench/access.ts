import path from 'node:path';
import { roleUrl } from '#lib/database/roles.ts';
import { scopes } from '#lib/core/scope.ts';
import { startBackend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import type { BackendName } from '../support/backends.ts';
import { processorTimeUs } from './access/processor-time.ts';
import type { Bench, BenchContext, Row } from './bench.ts';
import { startChild } from './child.ts';
import { requestsPerSecond } from './load.ts';
import { interleave, ratioRow } from './rounds.ts';

const BENCH = 'access';
const POOL = 10;
const CLIENTS = 16;
const ROUNDS = { full: 15, tiny: 1 };
const SLICE_MS = { full: 1_000, tiny: 50 };
const REQUESTS = { full: 50_000, tiny: 500 };
const RATIO_MIN: Record<BackendName, number> = { redis: 0.6, postgres: 0.45 };
const US_MAX = 60;

/** Measures the cost of authentication, authorization, rate limiting and logging of a request. */
export const bench: Bench = {
  summary: 'authenticated GET /workspace, requests a second, and the processor time of authentication',
  targets:
    '>= 0.6 x the same operation with the same transaction, without credential, limits and log, with limits counted ' +
    'in Redis, >= 0.45 x with limits counted in PostgreSQL; <= 60 us of processor time to admit a request.',
  async run(context) {
    const rows: Row[] = [];
    for (const name of context.backends) rows.push(await throughput(name, context));
    context.notify('measuring processor time');
    const figure = await processorTimeUs(REQUESTS[context.size]);
    const ratio = figure / US_MAX;
    return [
      ...rows,
      {
        bench: BENCH,
        case: 'processor time of admitting a request',
        unit: 'us',
        figure,
        peer: US_MAX,
        ratio,
        spread: null,
        target: '<= 1 x',
        met: ratio <= 1,
        note: 'the lookup is answered at once; limits counted in the process; the peer is the limit',
      },
    ];
  },
};

async function throughput(name: BackendName, { size, cluster, notify }: BenchContext): Promise<Row> {
  const variables = { VALIDATE_RESPONSES: 'false', DATABASE_POOL: String(POOL) };
  const database = `assay_bench_${BENCH}_${name}`;
  notify(`starting Assay (limits counted in ${name})`);
  const backend = await startBackend(name, database, variables, cluster);
  try {
    const tenancy = await buildTenancy(backend);
    const { workspace, environment, application, credential } = tenancy;
    const caller = { credential, application, workspace, environment, serviceClass: 'standard', scopes };
    const peer = await startChild<{ url: string }>(
      new URL('./access/peer.ts', import.meta.url),
      path.join(cluster.home, 'logs', database, 'peer.log'),
      {
        PEER_DATABASE_URL: roleUrl(backend.ownerUrl, 'api'),
        PEER_POOL: String(POOL),
        PEER_CALLER: JSON.stringify(caller),
      },
    );
    try {
      const common = { method: 'GET', status: 200, clients: CLIENTS, forMs: SLICE_MS[size] } as const;
      const headers = { authorization: `Bearer ${tenancy.key}` };
      const sides = {
        subject: () => requestsPerSecond({ ...common, url: `${backend.url}/api/v2/workspace`, headers }),
        peer: () => requestsPerSecond({ ...common, url: `${peer.ready.url}/api/v2/workspace`, headers: {} }),
      };
      await interleave(ROUNDS[size] > 1 ? 2 : 0, sides);
      notify(`${ROUNDS[size]} rounds of ${SLICE_MS[size]} ms a side, ${CLIENTS} clients`);
      const figures = await interleave(ROUNDS[size], sides);
      const about = {
        bench: BENCH,
        case: `GET /workspace, limits counted in ${name}`,
        unit: 'requests/s',
        note: `${CLIENTS} clients, pool of ${POOL}; the peer runs the same handler and transaction`,
      };
      return ratioRow(about, figures, { min: RATIO_MIN[name] });
    } finally {
      await peer.stop();
    }
  } finally {
    await backend.stop();
  }
}
