import type { Environment } from '#lib/database/base.ts';
import { isNumeric } from '#lib/data/numeric-columns.ts';
import type { NumericDataset } from '#lib/data/numeric-dataset.write.ts';
import { purposeOf, type LqmDefinition, type LqmFamily, type StoreLink } from '#lib/models/registry/lqm.ts';
import type { LqmInVersion } from '#lib/models/registry/lqm.query.ts';
import { PREDICTION } from '#lib/models/registry/prediction.schema.ts';
import { ensembleFit, singleFit, type Fits, type FitRefusal, type NamedMember } from './ensemble-members.ts';
import { decideTrainable, type TrainableRefusal } from './trainable-dataset.ts';

/** A person's request for a version of a model. */
export type VersionRequest = {
  family: LqmFamily;
  /** Id of the numeric dataset. */
  dataset: number;
  /** Names of the factor columns, with or without the target. Default: all numeric columns. */
  factors?: readonly string[] | undefined;
  maxAgeDays: number;
  /**
   * The feature whose entities are the factors, as `key` or `key@version`. `toleranceDays` is the maximum time between
   * the last values of the entities.
   */
  store?: { feature: string; toleranceDays: number } | undefined;
  regimesMax: number;
  /** The target column. Only for families that predict a target. */
  target?: string | undefined;
  horizon: number;
  fits: Fits;
  members: readonly NamedMember[];
};

export type StoredFeature = { key: string; version: number; id: number; unit: string; maxAgeDays: number };

export type DefinitionFacts = {
  environment: Environment;
  dataset: NumericDataset | null;
  /** The version of the feature that the request names. */
  feature: StoredFeature | undefined;
  /** The model versions that ensemble members refer to, keyed by the name of the member. */
  versions: ReadonlyMap<string, LqmInVersion>;
};

export type DefinitionRefusal =
  | TrainableRefusal
  | FitRefusal
  | {
      ok: false;
      code:
        | 'target_invalid'
        | 'column_unknown'
        | 'column_reserved'
        | 'too_many_factors'
        | 'feature_unknown'
        | 'max_age_invalid'
        | 'unit_differs';
      detail: string;
    };

export type DefinitionVerdict = { ok: true; definition: LqmDefinition } | DefinitionRefusal;

type Columns = LqmDefinition['columns'];

const COLUMNS_MAX = 50;

/**
 * Decides the definition of a version. Refuses options that contradict each other, or that name columns missing from
 * the dataset.
 */
export function decideDefinition(
  request: Omit<VersionRequest, 'dataset'>,
  facts: DefinitionFacts,
): DefinitionVerdict {
  const trainable = decideTrainable(facts.dataset, facts.environment);
  if (!trainable.ok) return trainable;
  const { family, target, horizon, maxAgeDays, regimesMax } = request;
  const isPrediction = purposeOf(family) === 'prediction';
  if (isPrediction !== (target !== undefined)) {
    const detail = isPrediction
      ? `The family ${family} predicts a column. Name the column with --target.`
      : `The family ${family} has no target.`;
    return refused('target_invalid', detail);
  }
  const found = columnsOf(trainable.dataset, request);
  if (!found.ok) return found;
  const { columns } = found;
  const stored = storeOf(request, facts.feature, columns);
  if (!stored.ok) return stored;
  const { id, uid, revision, contentHash: content_hash } = trainable.dataset;
  const dataset = { id, uid, revision, content_hash };
  const common = { family, columns, dataset, max_age_days: maxAgeDays, ...stored.link };
  if (target === undefined) return { ok: true, definition: { ...common, regimes_max: regimesMax } };
  const factors = columns.map(({ name }) => name);
  if (horizon === 0 && factors.length === 1) {
    const detail =
      'At horizon 0 the target is predicted from other columns, but the model has no other columns.';
    return refused('target_invalid', detail);
  }
  const of = { target, horizon, factors };
  const { fits, members } = request;
  const fitted =
    family === 'ensemble'
      ? ensembleFit(members, of, { fits, versions: facts.versions })
      : singleFit(family, fits, of);
  if (!fitted.ok) return fitted;
  return { ok: true, definition: { ...common, prediction: { target, horizon, fit: fitted.fit } } };
}

function columnsOf(
  dataset: NumericDataset,
  { factors, target }: Pick<VersionRequest, 'factors' | 'target'>,
): { ok: true; columns: Columns } | DefinitionRefusal {
  const numeric = dataset.columns.filter(isNumeric);
  const named = factors ?? numeric.map(({ name }) => name);
  const wanted = [...new Set(target === undefined ? named : [...named, target])].sort();
  const units = new Map(numeric.map(({ name, unit }) => [name, unit]));
  const unknown = wanted.find((name) => !units.has(name));
  if (unknown !== undefined) {
    return refused('column_unknown', `The dataset has no numeric column ${unknown}.`);
  }
  if (wanted.includes(PREDICTION)) {
    return refused('column_reserved', `${PREDICTION} is reserved for the predictions of a model.`);
  }
  if (wanted.length > COLUMNS_MAX) {
    const detail = `A model has at most ${COLUMNS_MAX} columns. Choose them with --factors.`;
    return refused('too_many_factors', detail);
  }
  return { ok: true, columns: wanted.map((name) => ({ name, unit: units.get(name)! })) };
}

function storeOf(
  { store, maxAgeDays }: Pick<VersionRequest, 'store' | 'maxAgeDays'>,
  feature: StoredFeature | undefined,
  columns: Columns,
): { ok: true; link: { store?: StoreLink } } | DefinitionRefusal {
  if (!store) return { ok: true, link: {} };
  if (!feature) {
    return refused('feature_unknown', `The workspace has no feature ${store.feature}.`);
  }
  const { key, version, id: version_id, unit } = feature;
  if (maxAgeDays > feature.maxAgeDays) {
    const max = feature.maxAgeDays;
    const detail = `The feature ${key} permits values that are at most ${max} days old. Use --max-age-days ${max} or less.`;
    return refused('max_age_invalid', detail);
  }
  const other = columns.find((column) => column.unit !== unit);
  if (other) {
    return refused('unit_differs', `${other.name} is in ${other.unit}, but ${key} is in ${unit}.`);
  }
  const link = { feature: key, version, version_id, tolerance_days: store.toleranceDays };
  return { ok: true, link: { store: link } };
}

function refused<Code extends string>(code: Code, detail: string) {
  return { ok: false as const, code, detail };
}
