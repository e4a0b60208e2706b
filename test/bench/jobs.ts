import { roleUrl } from '#lib/database/roles.ts';
import type { BackendName } from '../support/backends.ts';
import type { Bench, BenchContext, Row } from './bench.ts';
import { openRawQueue } from './jobs/raw-queue.ts';
import { CONCURRENCY, startAssay } from './peers/assay-stack.ts';
import { peerRows } from './peers/peer-rows.ts';
import { requestsPerSecond } from './load.ts';
import { interleave, ratioRow } from './rounds.ts';

const BENCH = 'jobs';
const CLIENTS = 16;
const ROUNDS = { full: 11, tiny: 1 };
const SLICE_MS = { full: 1_500, tiny: 50 };
const WORKSPACES = 8;
/** The least rate of one workspace, as a share of the rate of eight with the same number of clients. */
const ALONE_MIN = 0.9;
const RATIO_MIN: Record<BackendName, number> = { postgres: 0.4, redis: 0.15 };

/**
 * Measures how many runs per second Assay processes from submission to seal, compared with bare BullMQ. The
 * runs compute nothing.
 */
export const bench: Bench = {
  summary: 'jobs that compute nothing, from the HTTP request to its sealed 201, a second',
  targets:
    '>= 0.15 x bare BullMQ on Redis, >= 0.4 x on PostgreSQL: a run is also a durable record with three ' +
    'transactions, a thread, a seal and a notice, while a bare job is one or two commands of the queue. With `--peer`, ' +
    'processor time of all processes of a run: <= 1 x FastAPI + Celery on Redis, <= 1.3 x on PostgreSQL; <= 1.6 x ' +
    'Koa + BullMQ + pg on Redis, which has no limits, audit or fair admission. One workspace reaches >= 0.9 x the rate of ' +
    'eight, because the admission of its runs is not serialised with their commits.',
  async run(context) {
    if (context.peer) return peerRows(BENCH, 'job', context.peer, context);
    const rows: Row[] = [];
    for (const name of context.backends) rows.push(...(await runOn(name, context)));
    return rows;
  },
};

async function runOn(name: BackendName, { size, cluster, notify }: BenchContext): Promise<Row[]> {
  const assay = await startAssay(cluster, BENCH, name, { workspaces: WORKSPACES });
  const raw = await openRawQueue({
    redisUrl: assay.redisUrl,
    databaseUrl: roleUrl(assay.ownerUrl, 'api'),
    concurrency: CONCURRENCY,
  });
  try {
    const ofOne = () => requestsPerSecond({ ...assay.job, clients: CLIENTS, forMs: SLICE_MS[size] });
    const ofAll = async () => {
      const load = { clients: CLIENTS / WORKSPACES, forMs: SLICE_MS[size] };
      const rates = await Promise.all(assay.jobs.map((job) => requestsPerSecond({ ...job, ...load })));
      return rates.reduce((sum, rate) => sum + rate, 0);
    };
    const sides = { subject: ofOne, peer: () => raw.jobsPerSecond(CLIENTS, SLICE_MS[size]) };
    if (size === 'full') await interleave(2, sides);
    notify(`${name}: ${ROUNDS[size]} rounds of ${SLICE_MS[size]} ms a side, ${CLIENTS} clients`);
    const figures = await interleave(ROUNDS[size], sides);
    const waits = assay.redisUrl ? 'job.waitUntilFinished' : 'the event of its worker in the same process';
    const about = { bench: BENCH, unit: 'jobs/s' };
    const bare = ratioRow(
      {
        ...about,
        case: `no-op, queue on ${name}`,
        note: `${CLIENTS} clients, concurrency ${CONCURRENCY} on both sides; the peer adds a job and waits for ${waits}`,
      },
      figures,
      { min: RATIO_MIN[name] },
    );
    const alone = ratioRow(
      {
        ...about,
        case: `no-op of one workspace, queue on ${name}; peer: of ${WORKSPACES} workspaces`,
        note: `${CLIENTS} clients in all on both sides`,
      },
      await interleave(ROUNDS[size], { subject: ofOne, peer: ofAll }),
      { min: ALONE_MIN },
    );
    return [bare, alone];
  } finally {
    await raw.close();
    await assay.stop();
  }
}
