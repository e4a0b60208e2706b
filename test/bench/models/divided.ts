import path from 'node:path';
import { startBackend, type BackendName } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { serveModel } from '../../support/numeric-model.ts';
import type { BenchContext, Row } from '../bench.ts';
import { REDIS_DURABILITY } from '../durability.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { withSecondWorker } from '../workers.ts';

const SAMPLES = { full: 200_000, tiny: 20_001 };
const ROUNDS = { full: 3, tiny: 1 };
/** The engine whose runs are divided. */
const ENGINE = 't_copula_empirical';

/** How much sooner the largest run that is taken is sealed with a second worker process, through the whole service. */
export async function dividedRows(
  bench: string,
  name: BackendName,
  { size, cluster, tell }: BenchContext,
): Promise<Row[]> {
  const database = `assay_bench_${bench}_${name}`;
  const variables = { VALIDATE_RESPONSES: 'false', NUMERICS_WORKERS: '1', NUMERICS_CONCURRENCY: '1' };
  const backend = await startBackend(name, database, variables, cluster, {
    redisDurability: REDIS_DURABILITY,
  });
  try {
    tell(`${name}: training a model`);
    const tenancy = await buildTenancy(backend);
    await serveModel(backend, tenancy);
    const client = clientOf(backend, tenancy.key);
    const perSecond = async () => {
      const started = performance.now();
      const request = { regime: 'ergodic', samples: SAMPLES[size], seed: 42 };
      const { status, body } = await client.post(`/generative/scenarios?engine=${ENGINE}`, request, {
        prefer: 'wait=60',
      });
      if (status !== 201) throw new Error(`a run was not sealed: ${status} ${JSON.stringify(body)}`);
      return SAMPLES[size] / ((performance.now() - started) / 1_000);
    };
    tell(`${name}: ${SAMPLES[size]} samples by ${ENGINE}`);
    await perSecond();
    const figures = await interleave(ROUNDS[size], {
      subject: () =>
        withSecondWorker(backend, path.join(cluster.home, 'logs', database), async () => {
          await perSecond(); // its thread has loaded nothing yet
          return perSecond();
        }),
      peer: perSecond,
    });
    const about = {
      bench,
      case: `${SAMPLES[size].toLocaleString('en')} samples x 10 factors by ${ENGINE}, queue on ${name}`,
      unit: 'samples/s',
      note: '2 worker processes against 1, from the request to the sealed answer',
    };
    return [ratioRow(about, figures, { least: 1.7 })];
  } finally {
    await backend.stop();
  }
}
