import { Option, type Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import { writeModelVersion, type MakeDataset } from '#lib/models/training/write-version.command.ts';
import { importedSeries } from '#lib/research/import-series.command.ts';
import type { SeriesRequest } from '#lib/research/series-source.query.ts';
import { lqmFamilies } from '#lib/models/registry/lqm.ts';
import { seriesOf } from '../research/choose-snapshots.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { versionOf, type DefinitionOptions } from './lqm-definition.ts';
import type { Tenant } from '#lib/database/base.ts';
import { checkText } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { inPlaceOf } from '../shell/place.ts';
import { governAs } from '../shell/govern.ts';
import { wholeNumber } from '../shell/whole-number.ts';

type CreateOptions = OutputOptions &
  GovernedOptions &
  Tenant &
  DefinitionOptions & {
    key: string;
    name: string;
    dataset?: string;
    snapshots?: string;
    snapshotFeatures?: string;
    snapshotEntities?: string;
  };

/** Registers `assay lqm create`. All options except workspace and environment describe the version. */
export function registerCreate(group: Command): void {
  const command = inPlaceOf(
    group.command('create'),
    'create a version of a model on a governed dataset or on sealed snapshots; the first version creates the model',
  );
  withPerson(command)
    .requiredOption(
      '--key <key>',
      'the key of the model, unique in the workspace; an existing key creates the next version',
    )
    .requiredOption('--name <name>', 'the display name of the model')
    .addOption(
      new Option(
        '--family <family>',
        'the model family: regime_ghmm generates scenarios of monthly log returns by regime; the other families predict a target',
      )
        .choices(lqmFamilies)
        .default('regime_ghmm'),
    )
    .option(
      '--dataset <id>',
      'a numeric dataset with a date in each row, governed or built from sealed snapshots',
    )
    .option(
      '--snapshots <project>',
      'instead of --dataset: build the dataset from the sealed research snapshots of this project, one row per date',
    )
    .option(
      '--snapshot-features <list>',
      'with --snapshots: the features to use (default: all of the project)',
    )
    .option('--snapshot-entities <list>', 'with --snapshots: the entities to use (default: all)')
    .option(
      '--factors <list>',
      'the columns to use, separated by commas, with or without the target; default: all numeric columns',
    )
    .option(
      '--max-age-days <n>',
      'the maximum age in days of the newest data row when the model is used for serving',
      '45',
    )
    .option(
      '--feature <key[@version]>',
      'read the newest month from this feature of the feature store; the entities of the feature must have the same names as the factors',
    )
    .option(
      '--tolerance-days <n>',
      'with --feature: the maximum distance in days between the last values of the factors (default: 7)',
    )
    .option('--regimes-max <n>', 'for regime_ghmm: the maximum number of regimes to try, 1 to 3 (default: 3)')
    .option('--target <column>', 'the column to predict')
    .option(
      '--horizon <rows>',
      'the horizon in rows ahead, 0 to 60 (default: 1); 0 predicts the target of a row from the other columns of that row',
    )
    .option(
      '--ridge-lambda <number>',
      'for ridge: the penalty (default: the penalty with the smallest leave-one-out error)',
    )
    .option('--lags-max <n>', 'for var: the maximum number of lags to try, 1 to 24 (default: 6)')
    .option('--trees <n>', 'for gbt: the number of trees, 1 to 1000 (default: 100)')
    .option('--rate <number>', 'for gbt: the learning rate, 0.001 to 1 (default: 0.1)')
    .option('--depth <n>', 'for gbt: the maximum depth of a tree, 1 to 8 (default: 3)')
    .option('--leaf-rows-min <n>', 'for gbt: the minimum number of rows in a leaf, 1 to 10000 (default: 20)')
    .option('--bins <n>', 'for gbt: the number of bins per column, 2 to 255 (default: 64)')
    .option(
      '--members <list>',
      'for ensemble: 2 to 8 families, or trained models as key@version, separated by commas, each optionally with =weight, such as ridge=0.6,trend@2=0.4',
    )
    .action(create);
}

async function create(options: CreateOptions): Promise<void> {
  const { workspace, environment, key, family } = options;
  const place = { workspace, environment };
  const name = checkText('--name', options.name);
  const dataset = datasetOf(options, (series) => importedSeries({ place, name: `${key}.snapshots`, series }));
  const input = { place, key, name, version: { ...versionOf(options), dataset } };
  const { result } = await governAs(writeModelVersion, input, options);
  print(
    {
      uid: result.model,
      key,
      family,
      version: result.version,
      version_uid: result.versionUid,
      factors: result.definition.columns.length,
    },
    options,
  );
}

/**
 * Returns the id of the named dataset, or the function that imports the named sealed snapshots into a
 * dataset.
 */
function datasetOf(
  { dataset, snapshots: project, snapshotFeatures: features, snapshotEntities: entities }: CreateOptions,
  imported: (series: SeriesRequest) => MakeDataset,
): number | MakeDataset {
  if ((dataset === undefined) === (project === undefined))
    throw new Refusal('dataset_missing', 'give either --dataset or --snapshots');
  if (dataset !== undefined) return wholeNumber('--dataset', dataset, [1, 2 ** 31]);
  return imported(seriesOf(project!, { features, entities }));
}
