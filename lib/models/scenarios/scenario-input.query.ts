import { utcDate } from '#lib/core/clock.ts';
import { invalid, type Fault } from '#lib/core/problem.ts';
import { drawSeed } from '#lib/core/seed.ts';
import type { Em } from '#lib/database/base.ts';
import { readCheckpoint } from '#lib/models/registry/checkpoint.query.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import {
  DEGREES_OF_FREEDOM,
  empiricalEngines,
  stressedEngines,
  SAMPLES,
  studentEngines,
  type ScenarioInput,
  type ScenarioRequest,
} from './scenarios.schema.ts';
import { namedModel, regimeFaults, servedContext, type ServedModel } from './served-model.query.ts';

/**
 * Returns the input of a run on this model: the request with every default filled in, and the context as known today.
 * Throws a problem if the request is not valid.
 */
export async function scenarioInput(
  em: Em,
  model: ServedModel,
  request: ScenarioRequest,
  now: Date,
): Promise<ScenarioInput> {
  const checkpoint = await readCheckpoint(em, model.trainingUid);
  const faults = [...engineFaults(request), ...requestFaults(request, checkpoint)];
  if (faults.length) throw invalid(faults);
  const { engine = 'gaussian', degrees_of_freedom = DEGREES_OF_FREEDOM } = request;
  const { antithetic = engine !== 'filtered_historical' } = request;
  const { regime, samples = SAMPLES.default, seed = drawSeed(), stress = [] } = request;
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
    context: await servedContext(em, model, utcDate(now)),
  };
}

/** Returns a fault for each option that the engine does not support. */
function engineFaults({ stress = [], engine = 'gaussian', antithetic }: ScenarioRequest): Fault[] {
  const faults: Fault[] = [];
  if (stress.length && !stressedEngines.includes(engine)) {
    const message = `is supported only by the engines ${stressedEngines.join(' and ')}; ${engine} cannot draw the other factors conditional on a shock`;
    faults.push({ pointer: '/stress', in: 'body', code: 'engine_without_stress', message });
  }
  if (antithetic && engine === 'filtered_historical') {
    const message =
      'is not supported by this engine, because a historical month has no antithetic counterpart';
    faults.push({ pointer: '/antithetic', in: 'query', code: 'engine_without_mirror', message });
  }
  return faults;
}

/** Returns the faults of the regime and the shocks: an unknown regime, unknown factors, and repeated factors. */
function requestFaults({ regime, stress = [] }: ScenarioRequest, checkpoint: Checkpoint): Fault[] {
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
      faults.push({
        pointer,
        in: 'body',
        code: 'repeated',
        message: 'has two shocks; a factor can have only one shock',
      });
  }
  return faults;
}
