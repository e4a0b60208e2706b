import type { Static, TObject } from 'typebox';
import type { RunKind } from '#lib/core/run.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { RegisteredModel } from '#lib/models/registry/registered-models.query.ts';
import type { RunnableState } from '#lib/quant/models/runnable-model.ts';
import type { WorkspaceModel } from '#lib/quant/models/workspace-models.query.ts';
import { API_PREFIX } from '../../derive/router.ts';
import { builtInModels, type BuiltInModel } from './built-in-models.ts';
import type { RunnableModel } from './model.schema.ts';
import { runningOf } from './workspace-model.ts';

type Shown = Static<typeof RunnableModel>;

/** Returns the state of a built-in model. A model that is missing in the registry is suspended. */
export function stateOfRegistered(found: RegisteredModel | undefined): RunnableState {
  if (found?.serving) return 'active';
  return found?.isRetired ? 'retired' : 'suspended';
}

/** Presents a built-in model with its state in the registry. */
export function presentBuiltIn(model: BuiltInModel, found: RegisteredModel | undefined): Shown {
  const { key, kind, title, family, registered, run, input, bounds } = model;
  return {
    key,
    kind,
    title,
    family,
    serving_version: found?.serving ?? null,
    state: stateOfRegistered(found),
    registered_model: registered,
    ...membersOfRun(run, input),
    bounds: [...bounds],
    bit_reproducible: true,
    last_evaluation: null,
  };
}

/** Presents a numeric model of a workspace. */
export function presentWorkspaceModel(model: WorkspaceModel): Shown {
  const { kind, run, input, bounds } = runningOf(model);
  const { evaluation } = model;
  return {
    key: shownKey(model),
    kind,
    title: model.name,
    family: model.family,
    serving_version: model.serving === null ? null : String(model.serving),
    state: model.state,
    registered_model: run.model,
    ...membersOfRun(run, input),
    bounds: [...bounds],
    bit_reproducible: true,
    last_evaluation: evaluation && {
      evaluation_uid: evaluation.uid,
      version: String(evaluation.version),
      passed: evaluation.passed,
      finished_at: evaluation.finished_at,
    },
  };
}

/** Returns the key under which a model of a workspace is found: its uid if its key is that of a built-in model. */
function shownKey({ uid, key }: WorkspaceModel): string {
  return builtInModels().some((each) => each.key === key) ? uid : key;
}

function membersOfRun(run: RunKind, input: TObject) {
  return {
    runs_at: `${API_PREFIX}${run.resource}`,
    scope: run.scope,
    input_schema: memberNames(input),
    output: {
      kind: run.key,
      uid_prefix: run.prefix,
      attachments: Object.keys(run.attachments.properties),
    },
  };
}

const names = new WeakMap<TObject, Shown['input_schema']>();

function memberNames(input: TObject): Shown['input_schema'] {
  const known = names.get(input) ?? {
    sha256: canonicalHash(JSON.parse(JSON.stringify(input))),
    required: [...((input.required as string[] | undefined) ?? [])],
    optional: Object.keys(input.properties).filter((name) => !input.required?.includes(name)),
  };
  names.set(input, known);
  return known;
}
