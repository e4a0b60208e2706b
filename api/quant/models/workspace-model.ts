import type { TObject } from 'typebox';
import { modelScenariosRun } from '#lib/models/scenarios/model-scenarios.run.ts';
import { purposeOf } from '#lib/models/registry/lqm.ts';
import type { Run } from '#lib/pipeline/define-run.ts';
import type { WorkspaceModel } from '#lib/quant/models/workspace-models.query.ts';
import type { Bound, ModelKind } from '#lib/quant/models/runnable-model.ts';
import { predictionRunsRun } from '#lib/quant/models/prediction-runs.run.ts';
import { PREDICTION_LIMITS, PredictionModelInput } from '#lib/quant/models/prediction-runs.schema.ts';
import { runRoutes, type RunRoute } from '../../run-routes.ts';
import { boundsOf } from './built-in-models.ts';
import { inputSchemaOf } from './run-input.ts';

/** How the models of one purpose are run: the run, its route, its input and its bounds. */
type Running = {
  kind: ModelKind;
  run: Run;
  /** The operation of the run. Null if only `POST /quant/models/{key}/run` submits it. */
  route: RunRoute | null;
  input: TObject;
  bounds: readonly Bound[];
  /** The members of the summary of a run that identify the model. */
  counted(model: WorkspaceModel): Readonly<Record<string, unknown>>;
};

const running = new Map<string, Running>();

/** Returns how a numeric model of a workspace runs. */
export function runningOf({ family }: Pick<WorkspaceModel, 'family'>): Running {
  const kind = purposeOf(family);
  const known = running.get(kind) ?? { kind, ...(kind === 'prediction' ? prediction() : generative()) };
  running.set(kind, known);
  return known;
}

/** The members of a request that the path and the version of the call determine. */
const NAMED = ['model', 'version'];

function prediction() {
  const run = predictionRunsRun as unknown as Run;
  const { rows, latest, datasetRows } = PREDICTION_LIMITS;
  return {
    run,
    route: null,
    input: PredictionModelInput,
    bounds: [
      ...boundsOf(run),
      { name: 'rows', maximum: rows, unit: 'count' },
      { name: 'dataset_rows', maximum: datasetRows, unit: 'count' },
      { name: 'latest', maximum: latest, unit: 'count' },
    ],
    counted: ({ key }: WorkspaceModel) => ({ model_key: key }),
  };
}

function generative() {
  const route = runRoutes().find(({ run }) => run.key === modelScenariosRun.key)!;
  return {
    run: route.run,
    route,
    input: inputSchemaOf(route.run.request, NAMED),
    bounds: boundsOf(route.run),
    counted: ({ key }: WorkspaceModel) => ({ model_key: key }),
  };
}
