import type { Command } from 'commander';
import { createAjv } from '#lib/core/ajv.ts';
import { systemClock } from '#lib/core/clock.ts';
import { FeatureDefinitionFile } from '#lib/data/feature/definition.schema.ts';
import { defineFeature } from '#lib/data/feature/define.repository.ts';
import { Feature } from '#lib/data/feature.entity.ts';
import { listFeatures, newestMaterialisations, versionsOf } from '#lib/data/feature/read.repository.ts';
import type { Em } from '#lib/database/base.ts';
import { materialiseFeature } from './feature-materialise.ts';
import { readBody } from './governed-kind.ts';
import { asOperator } from './operator.ts';
import { actingPerson, findPerson, findWorkspace, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type Place = OutputOptions & { workspace: string };
type ByPerson = Place & { as?: string };

const MOST = 1_000;

export function register(program: Command): void {
  const group = program.command('feature').description('numbers that are computed of many entities');
  const command = (words: string, description: string) =>
    withJson(group.command(words)).description(description).requiredOption('--workspace <uid>');
  const byPerson = (words: string, description: string) =>
    command(words, description).option('--as <person>', 'who does it (default: the owner of the workspace)');
  byPerson(
    'define <file>',
    'define a feature from a JSON file, - for stdin; where its computation changes it is a new version',
  ).action(define);
  command('list', 'list them, newest first').action(list);
  command('show <key>', 'show one with its versions, and how its values stand').action(show);
  byPerson('retire <key>', 'end one: it keeps its values and gets no more').action(retire);
  command('materialise <key>', 'bring its values up to what is known of its dataset')
    .option('--full', 'compute every value anew; what is told already is not written again')
    .option('--number <version>', 'the version; default: the latest')
    .action(materialiseFeature);
}

async function define(file: string, options: ByPerson): Promise<void> {
  const body = await readBody(file);
  const said = checked(body);
  const made = await asOperator((operator) =>
    operator.everywhere(async (em) => {
      const { uid: workspace } = await findWorkspace(em, options.workspace);
      const { uid: by } = await actingPerson(em, workspace, options.as);
      const owner = said.owner === undefined ? by : (await findPerson(em, workspace, said.owner)).uid;
      const outcome = await defineFeature(em, {
        workspace,
        by,
        owner,
        key: said.key,
        entityType: said.entity_type,
        unit: said.unit,
        frequency: said.frequency,
        dataset: said.dataset,
        expression: said.expression,
        maxAgeDays: said.max_age_days,
        description: said.description,
        now: systemClock.now(),
      });
      if (!outcome.ok) throw new Refusal(outcome.code, outcome.reason);
      const { change, feature, version } = outcome;
      if (change !== 'unchanged') {
        const subject = { type: 'feature', uid: feature.uid, version };
        const details = { key: feature.key, dataset: said.dataset, expression: said.expression, owner };
        await record(em, { op: `feature.${change}`, workspace, by, subject, details });
      }
      return { uid: feature.uid, key: feature.key, version, change };
    }),
  );
  print(made, options);
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
  const rows = await asOperator((operator) =>
    operator.everywhere(async (em) => {
      const { uid: workspace } = await findWorkspace(em, options.workspace);
      const features = await listFeatures(em, { workspace, most: MOST });
      const uids = features.map(({ uid }) => uid);
      const versions = await versionsOf(em, uids);
      return features.map((feature) => {
        const latest = versions.find(({ feature_uid }) => feature_uid === feature.uid)!;
        return {
          uid: feature.uid,
          key: feature.key,
          status: feature.status,
          entity_type: feature.entity_type,
          version: latest.version,
          frequency: latest.frequency,
          expression: latest.expression,
        };
      });
    }),
  );
  printRows(rows, options);
}

async function show(key: string, options: Place): Promise<void> {
  const shown = await asOperator((operator) =>
    operator.everywhere(async (em) => {
      const feature = await findByKey(em, options.workspace, key);
      const versions = await versionsOf(em, [feature.uid]);
      const { newest, succeeded } = await newestMaterialisations(em, versions[0]!.id);
      const { uid, entityType, description, ownerUid, status } = feature;
      return {
        uid,
        key,
        entity_type: entityType,
        description,
        owner: ownerUid,
        status,
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
    }),
  );
  print(shown, options);
}

async function retire(key: string, options: ByPerson): Promise<void> {
  const retired = await asOperator((operator) =>
    operator.everywhere(async (em) => {
      const feature = await findByKey(em, options.workspace, key);
      const { uid: workspace } = await findWorkspace(em, options.workspace);
      const { uid: by } = await actingPerson(em, workspace, options.as);
      if (feature.status === 'retired') throw new Refusal('feature_retired', `${key} is retired already`);
      em.assign(feature, { status: 'retired' });
      const subject = { type: 'feature', uid: feature.uid };
      await record(em, { op: 'feature.retired', workspace, by, subject, details: { key } });
      return { uid: feature.uid, key, status: 'retired' };
    }),
  );
  print(retired, options);
}

async function findByKey(em: Em, workspaceUid: string, key: string): Promise<Feature> {
  await findWorkspace(em, workspaceUid);
  const feature = await em.findOne(Feature, { workspaceUid, key }, { filters: false });
  if (!feature) throw new Refusal('feature_unknown', `the workspace has no feature ${key}`);
  return feature;
}
