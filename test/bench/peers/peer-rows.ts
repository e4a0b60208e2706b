import { median } from 'simple-statistics';
import { Client } from 'pg';
import type { BenchContext, Row } from '../bench.ts';
import { interleave, ratioRow, type Bound } from '../rounds.ts';
import { startAssay } from './assay-stack.ts';
import { startKoa } from './koa-stack.ts';
import { PYTHON_PACKAGES, pythonIsThere, startPython } from './python-stack.ts';
import type { Stack } from './stack.ts';
import { useOf, type Use } from './use.ts';

/** The stacks that a user could build instead of Assay. */
export const peerNames = ['python', 'koa'] as const;
export type PeerName = (typeof peerNames)[number];

type What = 'job' | 'read';

const ROUNDS = { full: 7, tiny: 1 };
const SLICE_MS = { job: { full: 2_500, tiny: 50 }, read: { full: 1_500, tiny: 50 } };
/** The time of unmeasured load on each side, in which code is compiled. */
const WARM_MS = { full: 8_000, tiny: 50 };
/** The targets of the processor time of a request, by peer and by the queue of Assay. */
const TARGETS: Record<What, Record<PeerName, Partial<Record<'postgres' | 'redis', Bound>>>> = {
  job: { python: { redis: { max: 1 }, postgres: { max: 1.3 } }, koa: { redis: { max: 1.6 } } },
  read: {
    python: { redis: { max: 0.9 }, postgres: { max: 0.9 } },
    koa: { redis: { max: 1.2 }, postgres: { max: 1.2 } },
  },
};
const LABELS: Record<What, string> = { job: 'a job that computes nothing', read: 'a read of a job' };

/**
 * Compares the cost of a request with a peer: the processor time of all processes, the rate, and the WAL and the
 * writing transactions of PostgreSQL. Returns no rows if the packages of the peer are not installed.
 */
export async function peerRows(
  bench: string,
  what: What,
  peer: PeerName,
  { size, cluster, backends, notify }: BenchContext,
): Promise<Row[]> {
  if (peer === 'python' && !pythonIsThere()) {
    notify(`left out, because the peer is not installed: apt-get install ${PYTHON_PACKAGES.join(' ')}`);
    return [];
  }
  const superuser = new Client({ connectionString: cluster.superuserUrl('postgres') });
  await superuser.connect();
  const started: Stack[] = [];
  const start = async (stack: Promise<Stack>) => {
    started.push(await stack);
    return started.at(-1)!;
  };
  try {
    const other = await start(peer === 'python' ? startPython(cluster) : startKoa(cluster));
    const rows: Row[] = [];
    for (const queue of backends) {
      const ours = await start(startAssay(cluster, bench, queue));
      const slice = (stack: Stack, forMs: number) => useOf(superuser, stack, { what, forMs });
      for (const stack of [ours, other]) await slice(stack, WARM_MS[size]);
      notify(`${ours.name}, compared with ${other.name}: ${ROUNDS[size]} rounds`);
      const [own, theirs]: [Use[], Use[]] = [[], []];
      const kept = async (uses: Use[], stack: Stack) => {
        uses.push(await slice(stack, SLICE_MS[what][size]));
        return uses.at(-1)!.microseconds.all;
      };
      const times = await interleave(ROUNDS[size], {
        subject: () => kept(own, ours),
        peer: () => kept(theirs, other),
      });
      const label = `${LABELS[what]}, queue on ${queue}; peer: ${other.name}`;
      const bound = size === 'full' ? (TARGETS[what][peer][queue] ?? null) : null;
      const note = `microseconds of processor time; Assay: ${partsOf(own)}; peer: ${partsOf(theirs)}`;
      rows.push(ratioRow({ bench, case: `${label}: processor time`, unit: 'us', note }, times, bound));
      const further = (name: string, unit: string, about: string, figure: (use: Use) => number) =>
        ratioRow(
          { bench, case: `${label}: ${name}`, unit, note: about },
          { subject: own.map(figure), peer: theirs.map(figure) },
          null,
        );
      rows.push(further('rate', `${what}s/s`, '16 clients on each side', (use) => use.perSecond));
      if (what === 'job') {
        const counted = 'of the whole server, with full-page images';
        rows.push(further('WAL', 'bytes', counted, (use) => use.walBytes));
        rows.push(further('writing transactions', 'transactions', counted, (use) => use.writingTransactions));
      }
      await started.pop()!.stop();
    }
    return rows;
  } finally {
    for (const stack of started) await stack.stop();
    await superuser.end();
  }
}

/** Lists the median of the processor time of each part. Example: `api 512, worker 340, redis 41, postgres 890`. */
function partsOf(uses: readonly Use[]): string {
  return (['api', 'worker', 'redis', 'postgres'] as const)
    .map((part) => `${part} ${Math.round(median(uses.map((use) => use.microseconds[part])))}`)
    .join(', ');
}
