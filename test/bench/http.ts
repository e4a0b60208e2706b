import path from 'node:path';
import { Client } from 'pg';
import { roleUrl } from '#lib/database/roles.ts';
import { startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { importSample, importTiny } from '../support/import.ts';
import type { Bench, BenchContext } from './bench.ts';
import { startChild } from './child.ts';
import { requestsPerSecond } from './load.ts';
import { peerRows } from './peers/peer-rows.ts';
import { backendsOf, processorRow } from './processor-time.ts';
import { interleave, ratioRow } from './rounds.ts';

const BENCH = 'http';
const POOL = 10;
const CLIENTS = 16;
const ROUNDS = { full: 15, tiny: 1 };
const SLICE_MS = { full: 1_000, tiny: 50 };

/**
 * Measures the rate of reading a job with a credential, compared with a server that only reads the row of the
 * job.
 */
export const bench: Bench = {
  summary: 'authenticated GET /quant/compute/jobs/{uid}, requests a second',
  targets:
    '>= 0.6 x a Koa server that reads the same row in one transaction with the same settings of row-level security ' +
    "and checks nothing: Assay's additions (credential, scopes, validation, log) may cost two fifths. With `--peer`, processor time of all processes of a read: <= 0.9 x FastAPI, <= 1.2 x Koa.",
  async run(context) {
    if (context.peer) return peerRows(BENCH, 'read', context.peer, context);
    const { size, cluster, notify } = context;
    const variables = { VALIDATE_RESPONSES: 'false', DATABASE_POOL: String(POOL) };
    const database = `assay_bench_${BENCH}`;
    notify('starting Assay');
    const backend = await startBackend('postgres', database, variables, cluster);
    try {
      const tenancy = await buildTenancy(backend);
      const uid = await sealedRun(backend, tenancy, context);
      const bare = await startChild<{ url: string }>(
        new URL('./http/bare.ts', import.meta.url),
        path.join(cluster.home, 'logs', database, 'bare.log'),
        {
          BARE_DATABASE_URL: roleUrl(backend.ownerUrl, 'api'),
          BARE_POOL: String(POOL),
          BARE_WORKSPACE: tenancy.workspace,
          BARE_ENVIRONMENT: 'sandbox',
        },
      );
      try {
        const common = { method: 'GET', status: 200, clients: CLIENTS, forMs: SLICE_MS[size] } as const;
        const sides = {
          subject: () =>
            requestsPerSecond({
              ...common,
              url: `${backend.url}/api/v2/quant/compute/jobs/${uid}`,
              headers: { authorization: `Bearer ${tenancy.key}` },
            }),
          peer: () => requestsPerSecond({ ...common, url: `${bare.ready.url}/${uid}`, headers: {} }),
        };
        notify('warming both up');
        await interleave(ROUNDS[size] > 1 ? 2 : 0, sides);
        notify(`${ROUNDS[size]} rounds of ${SLICE_MS[size]} ms a side, ${CLIENTS} clients`);
        const figures = await interleave(ROUNDS[size], sides);
        const note = `${CLIENTS} clients, pool of ${POOL}; the run is sealed; the peer reads it bare`;
        const about = { bench: BENCH, case: 'read a job', unit: 'requests/s', note };
        const superuser = new Client({ connectionString: backend.superuserUrl });
        await superuser.connect();
        const api = backend.pid('api')!;
        const times = await processorRow(
          {
            bench: BENCH,
            case: 'the same: processor time',
            note: 'of the API or the peer, and of PostgreSQL for it',
          },
          {
            subject: {
              pids: [api, ...(await backendsOf(superuser, `assay api ${api}`))],
              work: sides.subject,
            },
            peer: { pids: [bare.pid, ...(await backendsOf(superuser, 'bare'))], work: sides.peer },
          },
        ).finally(() => superuser.end());
        return [ratioRow(about, figures, { min: 0.6 }), times];
      } finally {
        await bare.stop();
      }
    } finally {
      await backend.stop();
    }
  },
};

async function sealedRun(backend: Backend, tenancy: Tenancy, { size }: BenchContext): Promise<string> {
  await (size === 'full' ? importSample : importTiny)(backend, tenancy.workspace);
  const { status, body } = await clientOf(backend, tenancy.key).post('/investment/theme-watch/factors', {});
  if (status !== 201) throw new Error(`the run was not sealed: ${status} ${JSON.stringify(body)}`);
  return body.uid;
}
