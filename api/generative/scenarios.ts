import { randomInt } from 'node:crypto';
import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import type { Fault } from '#lib/core/problem.ts';
import { Closed } from '#lib/core/schema.ts';
import { scenariosJob } from '#lib/generative/scenarios.job.ts';
import { engines, ScenarioRequestBody, type ScenarioInput } from '#lib/generative/scenarios.schema.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { readCheckpoint } from '#lib/registry/checkpoint.repository.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import { servingVersion } from '#lib/registry/model.repository.ts';
import { invalid } from '../derive/router.ts';
import { submissionProblems } from '../runs.ts';
import { defineOperation } from '../services.ts';
import { servedContext, servedModel } from './served-model.ts';

const job = scenariosJob;

export const createScenarioRun = defineOperation({
  key: 'generative.scenarios.create',
  product: 'Generative',
  method: 'POST',
  path: '/generative/scenarios',
  scope: 'generative:inference',
  summary:
    'Draws seeded scenarios of one month by regime, under shocks, and seals their statistics and hashes.',
  description:
    'From the approved model that serves the workspace. The other factors follow those that are shocked as they do in the ' +
    'regime. The stream of random numbers belongs to the sample, so the same seed gives the same bits on any number of workers.',
  query: Closed({
    engine: Type.Optional(
      Type.Enum([...engines], { default: 'gaussian', description: 'The law that samples are drawn from.' }),
    ),
    degrees_of_freedom: Type.Optional(
      Type.Integer({ minimum: 4, maximum: 30, default: 6, description: 'Of the engine student_t.' }),
    ),
    antithetic: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether every second sample mirrors the one before.' }),
    ),
  }),
  body: ScenarioRequestBody,
  success: { status: 201, description: 'The scenarios, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: [
    'no_checkpoint',
    'context_missing',
    'context_stale',
    'context_unsynchronised',
    ...job.problems,
    ...submissionProblems,
  ],
  async handle(call) {
    const { services, body, query, fail } = call;
    const today = utcDate(services.clock.now());
    const { engine = 'gaussian', degrees_of_freedom = 6, antithetic = true } = query;
    const { regime, samples = 10_000, seed = randomInt(2 ** 47), stress = [] } = body;
    const submitted = await services.runs.submit(job, call, async (em) => {
      const modelVersion =
        (await servingVersion(em, job.model)) ??
        fail('model_not_approved', `${job.model} has no active version.`);
      const model = await servedModel(em);
      const checkpoint = await readCheckpoint(em, model.trainingUid);
      const faults = requestFaults(body, checkpoint);
      if (faults.length) throw invalid(faults);
      const context = await servedContext(em, model, today);
      const input: ScenarioInput = {
        model_uid: model.modelUid,
        version_uid: model.versionUid,
        version: model.version,
        content_hash: model.contentHash,
        training_uid: model.trainingUid,
        checkpoint_hash: model.checkpointHash,
        regime,
        samples,
        seed,
        stress: stress
          .map(({ factor, shock, unit = 'return', mode = 'set' }) => ({ factor, shock, unit, mode }))
          .toSorted((one, other) => (one.factor < other.factor ? -1 : 1)),
        engine,
        degrees_of_freedom: engine === 'student_t' ? degrees_of_freedom : null,
        antithetic,
        context,
      };
      return { input, modelVersion, datasetRevisions: {} };
    });
    return services.runs.answer(job, call, submitted);
  },
});

/** What only the model can tell: its regimes and its factors. */
function requestFaults({ regime, stress = [] }: ScenarioRequestBody, checkpoint: Checkpoint): Fault[] {
  const faults: Fault[] = [];
  const names: string[] = checkpoint.regimes.map(({ name }) => name);
  if (![...names, 'current', 'ergodic'].includes(regime))
    faults.push({
      pointer: '/regime',
      in: 'body',
      code: 'unknown_regime',
      message: `must be one of ${[...names, 'current', 'ergodic'].join(', ')}: the model has no other regimes`,
    });
  for (const [at, { factor }] of stress.entries()) {
    const pointer = `/stress/${at}/factor`;
    if (!checkpoint.factors.includes(factor))
      faults.push({
        pointer,
        in: 'body',
        code: 'unknown_factor',
        message: `must be one of ${checkpoint.factors.join(', ')}`,
      });
    else if (stress.findIndex((each) => each.factor === factor) < at)
      faults.push({ pointer, in: 'body', code: 'repeated', message: 'is shocked twice' });
  }
  return faults;
}
