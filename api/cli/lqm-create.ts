import { LockMode } from '@mikro-orm/core';
import { Option, type Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { writeVersion } from '#lib/modeling/new-version.repository.ts';
import { LqmModel } from '#lib/registry/lqm.entity.ts';
import { lqmFamilies } from '#lib/registry/lqm.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { definitionOf, type DefinitionOptions } from './lqm-definition.ts';
import { inPlaceAs, type Place } from './on-batch.ts';
import { checkText, withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type CreateOptions = OutputOptions &
  GovernedOptions &
  Place &
  DefinitionOptions & { key: string; name: string };

/** `assay lqm create`: every option but those of the place says what the version is. */
export function registerCreate(group: Command): void {
  withPerson(withJson(group.command('create')))
    .description(
      'write a version of a model on a governed dataset or on sealed snapshots; the first makes the model',
    )
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
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
  const name = checkText('--name', options.name);
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(key))
    throw new Refusal('key_invalid', '--key takes a word of a-z, 0-9 and _');
  const made = await inPlaceAs(options, options, async (em, { uid: by }) => {
    const definition = await definitionOf(em, options, by);
    const now = systemClock.now();
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const model =
      (await em.findOne(LqmModel, { key }, { lockMode })) ??
      em.create(LqmModel, {
        uid: newUid(prefixes.lqmModel),
        workspaceUid: workspace,
        environment,
        key,
        name,
        family,
        createdByUid: by,
        createdAt: now,
      });
    if (model.family !== family)
      throw new Refusal(
        'family_differs',
        `the model ${key} is of the family ${model.family}: use another key`,
      );
    await em.flush();
    const version = await writeVersion(em, model, { definition, by, now });
    await record(em, {
      op: 'lqm.version_written',
      by,
      workspace,
      environment,
      subject: { type: 'lqm_model', uid: model.uid },
      details: { version: version.version, content_hash: version.contentHash },
    });
    return {
      uid: model.uid,
      key,
      family,
      version: version.version,
      version_uid: version.uid,
      factors: definition.columns.length,
    };
  });
  print(made, options);
}
