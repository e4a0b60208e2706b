import type { Command } from 'commander';
import { createAjv } from '#lib/core/ajv.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { FeatureDefinitionFile } from '#lib/data/feature/definition.schema.ts';
import { defineFeature } from '#lib/data/feature/define-feature.command.ts';
import {
  featuresWithVersions,
  featureState,
  type FeatureState,
  type FeatureWithVersions,
} from '#lib/data/feature/feature.query.ts';
import { retireFeature } from '#lib/data/feature/retire-feature.command.ts';
import { materialiseFeature } from './feature-materialise.ts';
import { readBody } from '../shell/governed-kind.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { askIn } from '../shell/ask.ts';
import { inWorkspaceOf } from '../shell/place.ts';
import { governNamed } from '../shell/govern.ts';

type Place = OutputOptions & { workspace: string };
type ByPerson = Place & { as?: string };

const LIST_MAX = 1_000;

export function register(program: Command): void {
  const group = program.command('feature');
  const command = (words: string, description: string) => inWorkspaceOf(group.command(words), description);
  const byPerson = (words: string, description: string) =>
    command(words, description).option(
      '--as <person>',
      'the person who makes the change (default: the owner of the workspace)',
    );
  byPerson(
    'define <file>',
    'define a feature from a JSON file, - for stdin; a changed computation creates a new version',
  ).action(define);
  command('list', 'list the features, newest first').action(list);
  command('show <key>', 'show a feature with its versions and the state of its values').action(show);
  byPerson('retire <key>', 'retire a feature: it keeps its values and gets no new ones').action(retire);
  command('materialise <key>', 'bring the values of a feature up to date with its dataset')
    .option('--full', 'compute every value again; unchanged values are not stored again')
    .option('--number <version>', 'the version (default: the newest)')
    .action(materialiseFeature);
}

async function define(file: string, options: ByPerson): Promise<void> {
  const { entity_type: entityType, max_age_days: maxAgeDays, ...said } = checked(await readBody(file));
  const input = { ...said, entityType, maxAgeDays, workspace: options.workspace };
  const { change, version, result } = await governNamed(defineFeature, input, options);
  print({ uid: result.uid, key: said.key, version, change }, options);
}

function checked(body: unknown): FeatureDefinitionFile {
  const valid = createAjv().compile<FeatureDefinitionFile>(FeatureDefinitionFile);
  if (valid(body)) return body;
  const faults = valid.errors!.map(({ instancePath, message, params }) => {
    const named = (params as { additionalProperty?: string }).additionalProperty;
    return `${instancePath || '/'} ${message}${named === undefined ? '' : ` (${named})`}`;
  });
  throw new Refusal('definition_invalid', faults.join('; '));
}

async function list(options: Place): Promise<void> {
  const { workspace } = options;
  const found = await askIn(options, featuresWithVersions, { workspace, limit: LIST_MAX });
  printRows(found, options, row);
}

function row({ row: { uid, key, status, entity_type }, versions }: FeatureWithVersions) {
  const { version, frequency, expression } = versions[0]!;
  return { uid, key, status, entity_type, version, frequency, expression };
}

async function show(key: string, options: Place): Promise<void> {
  const found = await askIn(options, featureState, options.workspace, key);
  if (!found) throw new Refusal('feature_unknown', `the workspace has no feature ${key}`);
  print(present(found), options);
}

function present({ row: { uid, key, ...feature }, versions, newest, succeeded }: FeatureState) {
  return {
    uid,
    key,
    entity_type: feature.entity_type,
    description: feature.description,
    owner: feature.owner_uid,
    status: feature.status,
    versions: versions.map(({ version, unit, frequency, dataset_uid, expression, max_age_days }) => ({
      version,
      unit,
      frequency,
      dataset: dataset_uid,
      expression,
      max_age_days,
    })),
    materialisation: newest
      ? {
          state: newest.state,
          mode: newest.mode,
          entities: `${newest.entities_done}/${newest.entities_total}`,
          rows_written: newest.rows_written,
          problem: newest.problem,
          finished_at: newest.finished_at,
        }
      : null,
    values: succeeded?.values_held ?? 0,
    last_event: succeeded?.last_event ?? null,
  };
}

async function retire(key: string, options: ByPerson): Promise<void> {
  const { result } = await governNamed(retireFeature, { workspace: options.workspace, key }, options);
  print({ uid: result.uid, key, status: 'retired' }, options);
}
