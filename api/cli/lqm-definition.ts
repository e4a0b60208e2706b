import { tenantOf, type Em } from '#lib/database/base.ts';
import { isNumeric } from '#lib/data/numeric-columns.ts';
import { findNumericDataset, type NumericDataset } from '#lib/data/numeric-dataset.repository.ts';
import { purposeOf, type LqmDefinition, type LqmFamily } from '#lib/registry/lqm.ts';
import { HORIZON_MAX, PREDICTION } from '#lib/registry/prediction.schema.ts';
import { fitOf, type FitOptions } from './lqm-fit.ts';
import { storeOf, type StoreOptions } from './lqm-store.ts';
import { words } from './options.ts';
import { importSeries } from './snapshot-series.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { wholeNumber } from './whole-number.ts';

export type DefinitionOptions = FitOptions & {
  family: LqmFamily;
  dataset?: string;
  factors?: string;
  maxAgeDays: string;
  regimesMax?: string;
  key: string;
  snapshots?: string;
  snapshotFeatures?: string;
  snapshotEntities?: string;
  target?: string;
  horizon?: string;
} & StoreOptions;

const COLUMNS_MAX = 50;

/** What a version is, as the options say it. Refuses what does not go together, or is not in the dataset. */
export async function definitionOf(em: Em, options: DefinitionOptions, by: string): Promise<LqmDefinition> {
  const dataset = await datasetOf(em, options, by);
  const { family, target, regimesMax } = options;
  const isPrediction = purposeOf(family) === 'prediction';
  if (isPrediction !== (target !== undefined))
    throw new Refusal(
      'target_invalid',
      isPrediction ? `${family} predicts a column: name it by --target` : `${family} has no target`,
    );
  const columns = columnsOf(dataset, options);
  const { id, uid, revision, contentHash: content_hash } = dataset;
  const common = {
    family,
    columns,
    dataset: { id, uid, revision, content_hash },
    max_age_days: wholeNumber('--max-age-days', options.maxAgeDays, [1, 36_600]),
    ...(await storeOf(em, options, columns)),
  };
  if (target === undefined)
    return { ...common, regimes_max: wholeNumber('--regimes-max', regimesMax ?? '3', [1, 3]) };
  const horizon = wholeNumber('--horizon', options.horizon ?? '1', [0, HORIZON_MAX]);
  const factors = columns.map(({ name }) => name);
  if (horizon === 0 && factors.length === 1)
    throw new Refusal('target_invalid', 'at horizon 0 a target needs another column to be told from');
  const fit = await fitOf(em, family, options, { target, horizon, factors });
  return { ...common, prediction: { target, horizon, fit } };
}

/** The dataset that is named, or one that is put together from the sealed snapshots of a project. */
async function datasetOf(em: Em, options: DefinitionOptions, by: string): Promise<NumericDataset> {
  const { dataset: named, snapshots: project, key } = options;
  if ((named === undefined) === (project === undefined))
    throw new Refusal('dataset_missing', 'name either --dataset or --snapshots');
  if (named !== undefined) return trainableDataset(em, wholeNumber('--dataset', named, [1, 2 ** 31]));
  const { snapshotFeatures: features, snapshotEntities: entities } = options;
  const chosen = { features, entities };
  const made = await importSeries(em, { project: project!, name: `${key}.snapshots`, by, options: chosen });
  return trainableDataset(em, made.dataset.id);
}

/** A numeric dataset that models may be made of: a governed one, or one whose content research sealed. */
export async function trainableDataset(em: Em, id: number): Promise<NumericDataset> {
  const dataset = await findNumericDataset(em, id);
  if (!dataset) throw new Refusal('dataset_unknown', 'the workspace has no such numeric dataset');
  const { environment } = tenantOf(em);
  if (dataset.snapshots && dataset.snapshots.environment !== environment)
    throw new Refusal(
      'snapshots_elsewhere',
      `the snapshots of the dataset were sealed in ${dataset.snapshots.environment}`,
    );
  if (!dataset.governance.governed && !dataset.snapshots)
    throw new Refusal(
      'dataset_not_governed',
      `the dataset is not governed: ${dataset.governance.reasons.join(', ')}`,
    );
  if (!dataset.hasDates) throw new Refusal('dataset_without_days', 'the rows of the dataset have no days');
  return dataset;
}

function columnsOf(dataset: NumericDataset, { factors, target }: DefinitionOptions) {
  const numeric = dataset.columns.filter(isNumeric);
  const named = factors === undefined ? numeric.map(({ name }) => name) : words(factors);
  const wanted = target === undefined ? named : [...named, target];
  const columns = [...new Set(wanted)].sort().map((name) => {
    const column = numeric.find((each) => each.name === name);
    if (!column) throw new Refusal('column_unknown', `the dataset has no column of numbers ${name}`);
    if (name === PREDICTION)
      throw new Refusal('column_reserved', `${name} is the name of what a model predicts`);
    return { name, unit: column.unit! };
  });
  if (columns.length > COLUMNS_MAX)
    throw new Refusal(
      'too_many_factors',
      `a model has ${COLUMNS_MAX} columns at most: name them by --factors`,
    );
  return columns;
}
