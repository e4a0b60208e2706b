import { modelScenariosRun } from '#lib/models/scenarios/model-scenarios.run.ts';
import type { ModelKind } from '#lib/quant/models/runnable-model.ts';
import { predictionRunsRun } from '#lib/quant/models/prediction-runs.run.ts';
import { statisticalRunsRun } from '#lib/quant/models/statistical-runs.run.ts';
import { runs } from '#lib/runs.ts';

/** The kinds of runs that execute models of a kind other than `analytic`. */
const others: ReadonlyMap<string, ModelKind> = new Map<string, ModelKind>([
  [modelScenariosRun.key, 'generative'],
  [predictionRunsRun.key, 'prediction'],
  [statisticalRunsRun.key, 'statistical'],
]);

/** Returns the kind of the models that a kind of run executes. */
export function kindOfRun(run: string): ModelKind {
  return others.get(run) ?? 'analytic';
}

/** Returns the kinds of runs that execute models of a kind. */
export function runKinds(kind: ModelKind): string[] {
  return Object.keys(runs).filter((run) => kindOfRun(run) === kind);
}
