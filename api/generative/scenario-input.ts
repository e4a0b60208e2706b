import Type, { type Static } from 'typebox';
import type { Fault } from '#lib/core/problem.ts';
import { Closed } from '#lib/core/schema.ts';
import type { Em } from '#lib/database/base.ts';
import {
  Engine,
  empiricalEngines,
  stressedEngines,
  SAMPLES,
  studentEngines,
  type ScenarioInput,
  type ScenarioRequestBody,
} from '#lib/generative/scenarios.schema.ts';
import { readCheckpoint } from '#lib/registry/checkpoint.repository.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import { invalid } from '../derive/router.ts';
import { drawSeed } from './seed.ts';
import { namedModel, regimeFaults, servedContext, type ServedModel } from './served-model.ts';

/** How samples are drawn: beside the body of every scenario. */
export const scenarioQuery = Closed({
  engine: Type.Optional({ ...Engine, default: 'gaussian' }),
  degrees_of_freedom: Type.Optional(
    Type.Integer({
      minimum: 4,
      maximum: 30,
      default: 6,
      description: 'Of the engines `student_t` and `t_copula_empirical`.',
    }),
  ),
  antithetic: Type.Optional(
    Type.Boolean({
      description:
        'Whether every second sample mirrors the one before. It does when it is left out, save by `filtered_historical`.',
    }),
  ),
});
type ScenarioQuery = Static<typeof scenarioQuery>;

/** A request with every default filled in, on this model as it is known today. Throws the problem of one that cannot be. */
export async function scenarioInput(
  em: Em,
  model: ServedModel,
  { body, query, today }: { body: ScenarioRequestBody; query: ScenarioQuery; today: string },
): Promise<ScenarioInput> {
  const checkpoint = await readCheckpoint(em, model.trainingUid);
  const faults = [...engineFaults(body, query), ...requestFaults(body, checkpoint)];
  if (faults.length) throw invalid(faults);
  const { engine = 'gaussian', degrees_of_freedom = 6 } = query;
  const { antithetic = engine !== 'filtered_historical' } = query;
  const { regime, samples = SAMPLES.default, seed = drawSeed(), stress = [] } = body;
  const { id, revision, content_hash } = model.definition.dataset;
  return {
    ...namedModel(model),
    regime,
    samples,
    seed,
    stress: stress
      .map(({ factor, shock, unit = 'return', mode = 'set' }) => ({ factor, shock, unit, mode }))
      .toSorted((one, other) => (one.factor < other.factor ? -1 : 1)),
    engine,
    degrees_of_freedom: studentEngines.includes(engine) ? degrees_of_freedom : null,
    antithetic,
    training_set: empiricalEngines.includes(engine) ? { id, revision, content_hash } : null,
    context: await servedContext(em, model, today),
  };
}

/** What an engine cannot do. */
function engineFaults(
  { stress = [] }: ScenarioRequestBody,
  { engine = 'gaussian', antithetic }: ScenarioQuery,
): Fault[] {
  const faults: Fault[] = [];
  if (stress.length && !stressedEngines.includes(engine)) {
    const message = `is for the engines ${stressedEngines.join(' and ')}: by ${engine} the other factors would not follow`;
    faults.push({ pointer: '/stress', in: 'body', code: 'engine_without_stress', message });
  }
  if (antithetic && engine === 'filtered_historical') {
    const message = 'is for the other engines: a month has no mirror image';
    faults.push({ pointer: '/antithetic', in: 'query', code: 'engine_without_mirror', message });
  }
  return faults;
}

/** What only the model can tell: its regimes and its factors. */
function requestFaults({ regime, stress = [] }: ScenarioRequestBody, checkpoint: Checkpoint): Fault[] {
  const faults = regimeFaults(regime, checkpoint);
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
