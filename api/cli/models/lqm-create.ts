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

/** `assay lqm create`: every option but those of the place says what the version is. */
export function registerCreate(group: Command): void {
  const command = inPlaceOf(
    group.command('create'),
    'write a version of a model on a governed dataset or on sealed snapshots; the first makes the model',
  );
  withPerson(command)
    .requiredOption('--key <key>', 'unique in the workspace; the same key again is the next version')
    .requiredOption('--name <name>')
    .addOption(
      new Option(
        '--family <family>',
        'regime_ghmm: regimes of monthly log returns, for scenarios; the others predict a target',
      )
        .choices(lqmFamilies)
        .default('regime_ghmm'),
    )
    .option(
      '--dataset <id>',
      'a numeric dataset with a day in each row: governed, or put together from sealed snapshots',
    )
    .option('--snapshots <project>', 'or the sealed research snapshots of this project, a row for each date')
    .option('--snapshot-features <list>', 'with --snapshots: which features (default: all of the project)')
    .option('--snapshot-entities <list>', 'with --snapshots: which entities (default: all that there are)')
    .option(
      '--factors <list>',
      'columns by comma, the target among them or not; default: all columns of numbers',
    )
    .option('--max-age-days <n>', 'how old the newest row of the data may be when the model serves', '45')
    .option(
      '--feature <key[@version]>',
      'the factors are entities of this feature: the feature store tells the newest month when the model serves',
    )
    .option(
      '--tolerance-days <n>',
      'with --feature: how many days the last values may lie apart (default: 7)',
    )
    .option('--regimes-max <n>', 'regime_ghmm: the most regimes that are tried, 1 to 3 (default: 3)')
    .option('--target <column>', 'the column that is predicted')
    .option(
      '--horizon <rows>',
      'how many rows ahead, 0 to 60 (default: 1); 0 tells the target of a row from the other columns of the row',
    )
    .option(
      '--ridge-lambda <number>',
      'ridge: the penalty (default: that with the smallest leave-one-out error)',
    )
    .option('--lags-max <n>', 'var: the most lags that are tried, 1 to 24 (default: 6)')
    .option('--trees <n>', 'gbt: number of trees, 1 to 1000 (default: 100)')
    .option('--rate <number>', 'gbt: learning rate, 0.001 to 1 (default: 0.1)')
    .option('--depth <n>', 'gbt: depth of a tree, 1 to 8 (default: 3)')
    .option('--leaf-rows-min <n>', 'gbt: rows of a leaf at least, 1 to 10000 (default: 20)')
    .option('--bins <n>', 'gbt: bins of a column, 2 to 255 (default: 64)')
    .option(
      '--members <list>',
      'ensemble: 2 to 8 families or key@version of trained models by comma, each with =weight or none, such as ridge=0.6,trend@2=0.4',
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

/** The dataset that is named, or what imports sealed snapshots into one. */
function datasetOf(
  { dataset, snapshots: project, snapshotFeatures: features, snapshotEntities: entities }: CreateOptions,
  imported: (series: SeriesRequest) => MakeDataset,
): number | MakeDataset {
  if ((dataset === undefined) === (project === undefined))
    throw new Refusal('dataset_missing', 'name either --dataset or --snapshots');
  if (dataset !== undefined) return wholeNumber('--dataset', dataset, [1, 2 ** 31]);
  return imported(seriesOf(project!, { features, entities }));
}
