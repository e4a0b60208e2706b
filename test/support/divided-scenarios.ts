import { scenarioParts } from '#lib/models/scenarios/scenario-parts.ts';
import type { Runner } from '#workers/process/runner.ts';
import scenarios from '#workers/models/scenarios.ts';
import { runners } from '#workers/runners.ts';
import type { Backend } from './backends.ts';
import { buildTenancy, type Tenancy } from './build.ts';
import { clientOf, type Client } from './client.ts';
import { serveModel } from './numeric-model.ts';
import { slowed } from './patience.ts';
import { partsKept } from './kept-parts.ts';
import { startInnerWorker } from './worker.ts';

export const SCENARIOS = '/generative/scenarios?engine=t_copula_empirical';
const SAMPLES = 20_400;
export const PARTS = scenarioParts({ samples: SAMPLES, engine: 't_copula_empirical' })!;
/** A run that is just large enough to be divided. */
export const request = { regime: 'ergodic', samples: SAMPLES, seed: 7 };

export type DividedScenarios = {
  tenancy: Tenancy;
  client: Client;
  /** Returns the process id of the worker that computes the runs. */
  healthy(): number;
  /** Returns how many parts of runs the database currently stores. */
  partsKept(): Promise<number>;
  /**
   * Runs `work` while no worker takes these runs except a worker in this process that uses another
   * implementation.
   */
  withWorker(changed: Partial<Runner>, thread: URL, work: () => Promise<void>): Promise<void>;
};

/** Creates a workspace with a model that can compute scenarios. */
export async function dividedScenarios(backend: Backend): Promise<DividedScenarios> {
  const tenancy = await buildTenancy(backend);
  await serveModel(backend, tenancy);
  const healthy = () => backend.pid('worker-numerics-1')!;
  return {
    tenancy,
    client: clientOf(backend, tenancy.key),
    healthy,
    partsKept: () => partsKept(backend, tenancy),
    async withWorker(changed, thread, work) {
      process.kill(healthy(), 'SIGSTOP');
      const end = await startInnerWorker({
        ownerUrl: backend.ownerUrl,
        redisUrl: backend.redis?.url,
        runners: {
          ...runners,
          'generative.scenarios': async () => ({ default: { ...scenarios, ...changed } as Runner }),
        },
        thread,
        concurrency: 1,
        // A busy machine must not lose the lock, because the tests count attempts.
        lockMs: slowed(10_000),
      });
      try {
        await work();
      } finally {
        await end();
        process.kill(healthy(), 'SIGCONT');
      }
    },
  };
}
