import path from 'node:path';
import { startBackend, type BackendName } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { serveModel } from '../../support/numeric-model.ts';
import type { BenchContext, Row } from '../bench.ts';
import { REDIS_DURABILITY } from '../durability.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { withSecondWorker } from '../workers.ts';

const ROUNDS = { full: 3, tiny: 1 };

type Case = { engine: string; runs: number; samples: Record<BenchContext['size'], number> };

/**
 * The measured cases: one run of the engine `t_copula_empirical` with the largest number of samples that is accepted,
 * and a million samples in concurrent runs by each of two engines. `tiny` is the size in tests.
 */
const cases: readonly Case[] = [
  { engine: 't_copula_empirical', runs: 1, samples: { full: 200_000, tiny: 20_001 } },
  { engine: 't_copula_empirical', runs: 5, samples: { full: 200_000, tiny: 20_001 } },
  { engine: 'gaussian', runs: 10, samples: { full: 100_000, tiny: 10_001 } },
];

/** Measures how much faster scenarios are sealed with a second worker process, through the whole service. */
export async function dividedRows(
  bench: string,
  name: BackendName,
  { size, cluster, notify }: BenchContext,
): Promise<Row[]> {
  const database = `assay_bench_${bench}_${name}`;
  const variables = { VALIDATE_RESPONSES: 'false', NUMERICS_WORKERS: '1', NUMERICS_CONCURRENCY: '1' };
  const backend = await startBackend(name, database, variables, cluster, {
    redisDurability: REDIS_DURABILITY,
  });
  try {
    notify(`${name}: training a model`);
    const tenancy = await buildTenancy(backend);
    await serveModel(backend, tenancy);
    const client = clientOf(backend, tenancy.key);
    const rows: Row[] = [];
    for (const { engine, runs, samples } of cases) {
      const each = samples[size];
      const label = `${runs === 1 ? '' : `${runs} runs of `}${each.toLocaleString('en')} samples x 10 factors by ${engine}`;
      notify(`${name}: ${label}`);
      const sealOne = async (_: unknown, seed: number) => {
        const request = { regime: 'ergodic', samples: each, seed };
        const { status, body } = await client.post(`/generative/scenarios?engine=${engine}`, request, {
          prefer: 'wait=60',
        });
        if (status !== 201) throw new Error(`a run was not sealed: ${status} ${JSON.stringify(body)}`);
      };
      const perSecond = async () => {
        const started = performance.now();
        await Promise.all(Array.from({ length: runs }, sealOne));
        return (runs * each) / ((performance.now() - started) / 1_000);
      };
      await perSecond();
      const figures = await interleave(ROUNDS[size], {
        subject: () =>
          withSecondWorker(backend, path.join(cluster.home, 'logs', database), async () => {
            // This rate is not reported, because the thread of the second worker has to load its modules
            // first.
            await perSecond();
            return perSecond();
          }),
        peer: perSecond,
      });
      const about = {
        bench,
        case: `${label}, queue on ${name}`,
        unit: 'samples/s',
        note: '2 worker processes against 1, from the first request to the last sealed answer',
      };
      rows.push(ratioRow(about, figures, { min: 1.7 }));
    }
    return rows;
  } finally {
    await backend.stop();
  }
}
