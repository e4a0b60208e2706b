import { scenarioParts } from '#lib/models/scenarios/scenario-parts.ts';
import { readConfig } from '#lib/core/config.ts';
import { runners } from '#workers/runners.ts';
import scenarios from '#workers/models/scenarios.ts';
import type { ScenarioInput } from '#lib/models/scenarios/scenarios.schema.ts';
import { slowed } from './patience.ts';
import { scenariosInRounds } from './scenario-rounds.ts';
import { startInnerWorker } from './worker.ts';

/**
 * Entry of a numerics worker that runs until it is ended. It divides scenarios into parts of the size given
 * as its argument, or in rounds if the argument is `rounds`.
 */
const size = process.argv[2];
const config = readConfig();
const divide = (input: ScenarioInput) => scenarioParts(input, Number(size));
const end = await startInnerWorker({
  ownerUrl: config.DATABASE_URL!,
  redisUrl: config.REDIS_URL,
  runners: {
    ...runners,
    'generative.scenarios': async () => ({
      default: size === 'rounds' ? scenariosInRounds : { ...scenarios, divide },
    }),
  },
  thread: new URL('../../workers/process/thread.ts', import.meta.url),
  concurrency: 1,
  lockMs: slowed(2_000),
});
process.once('SIGTERM', () => void end().then(() => process.exit(0)));
process.send!('ready');
