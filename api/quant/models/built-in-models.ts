import type { TObject } from 'typebox';
import type { RunKind } from '#lib/core/run.ts';
import type { Bound } from '#lib/quant/models/runnable-model.ts';
import { HORIZON_MAX, LEVELS_MAX, OBSERVATIONS_MAX } from '#lib/forecasting/engine/limits.ts';
import { statisticalModels } from '#lib/forecasting/statistical-models.ts';
import type { Run } from '#lib/pipeline/define-run.ts';
import { statisticalRunsRun } from '#lib/quant/models/statistical-runs.run.ts';
import { StatisticalModelInput } from '#lib/quant/models/statistical-runs.schema.ts';
import { runRoutes, type RunRoute } from '../../run-routes.ts';
import { kindOfRun } from './kind-of-run.ts';
import { inputSchemaOf } from './run-input.ts';

/** A model that comes with Assay: the computation of a kind of run. */
export type BuiltInModel = {
  key: string;
  kind: 'analytic' | 'statistical';
  family: string;
  title: string;
  /** The key of the registered model whose version computes the run. */
  registered: string;
  run: Run;
  /** The operation of the run. Null if only `POST /quant/models/{key}/run` submits it. */
  route: RunRoute | null;
  input: TObject;
  bounds: readonly Bound[];
  limits: readonly string[];
  /** The kind of run, and the summary values by which the sealed runs of the model are found and counted. */
  counted: { kind: string; summary: Readonly<Record<string, unknown>> };
};

let known: readonly BuiltInModel[] | undefined;

/** Returns the built-in models in the order of their keys. Called once all operations are declared. */
export function builtInModels(): readonly BuiltInModel[] {
  known ??= [...analyticModels(), ...statistical()].sort((one, other) => (one.key < other.key ? -1 : 1));
  return known;
}

/** Returns a model for each kind of run that an operation submits. */
function analyticModels(): BuiltInModel[] {
  return runRoutes()
    .filter(({ run }) => kindOfRun(run.key) === 'analytic')
    .map((route) => ({
      key: route.run.model,
      kind: 'analytic',
      family: route.run.key.split('.')[0]!,
      title: route.summary,
      registered: route.run.model,
      run: route.run,
      route,
      input: inputSchemaOf(route.run.request, []),
      bounds: boundsOf(route.run),
      limits: [],
      counted: { kind: route.run.key, summary: {} },
    }));
}

/** Returns a model for each statistical method. */
function statistical(): BuiltInModel[] {
  const run = statisticalRunsRun as unknown as Run;
  return statisticalModels.map(({ key, family, title, takes, model }) => ({
    key,
    kind: 'statistical',
    family,
    title,
    registered: model,
    run,
    route: null,
    input: StatisticalModelInput,
    bounds: [
      ...boundsOf(run),
      { name: 'values', maximum: OBSERVATIONS_MAX, unit: 'count' },
      { name: 'horizon', maximum: HORIZON_MAX, unit: 'periods' },
      { name: 'levels', maximum: LEVELS_MAX, unit: 'count' },
    ],
    limits: [`Supported series: ${takes}.`],
    counted: { kind: run.key, summary: { model_key: key } },
  }));
}

/** Returns the bounds of every run of a kind: its time limit and its number of attempts. */
export function boundsOf({ timeoutMs, attempts }: RunKind): Bound[] {
  return [
    { name: 'time', maximum: timeoutMs, unit: 'ms' },
    { name: 'attempts', maximum: attempts, unit: 'count' },
  ];
}
