import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Dataset } from '#lib/data/dataset.entity.ts';
import { Feature, FeatureVersion } from '#lib/data/feature.entity.ts';
import type { Em } from '#lib/database/base.ts';
import { checkDefinition, type FeatureDefinition } from './definition.ts';
import { planMaterialisation } from './materialisation.repository.ts';

export type DefineRequest = FeatureDefinition & {
  workspace: string;
  /** The uid of the dataset it is computed from. */
  dataset: string;
  owner: string;
  by: string;
  now: Date;
};

export type DefineOutcome =
  | {
      ok: true;
      change: 'defined' | 'version_added' | 'described' | 'unchanged';
      feature: Feature;
      version: number;
    }
  | {
      ok: false;
      code: 'dataset_unknown' | 'definition_invalid' | 'feature_retired' | 'entity_type_fixed';
      reason: string;
    };

/**
 * Defines a feature of a workspace. Another computation under a known key is a further version, and the versions
 * before it stay as they are; who owns it and how it is described are of the feature as a whole.
 */
export async function defineFeature(em: Em, request: DefineRequest): Promise<DefineOutcome> {
  const { workspace, key, entityType, owner, description, now } = request;
  const dataset = await entitledDataset(em, workspace, request.dataset);
  if (!dataset)
    return refused('dataset_unknown', `the workspace is entitled to no dataset ${request.dataset}`);
  const checked = checkDefinition(request, dataset.kind);
  if (!checked.ok) return refused('definition_invalid', `${checked.fault.member}: ${checked.fault.reason}`);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`feature ${workspace} ${key}`}, 0))`.execute(
    em.getKysely(),
  );
  const known = await em.findOne(Feature, { workspaceUid: workspace, key }, { filters: false });
  if (known?.status === 'retired') return refused('feature_retired', `${key} is retired`);
  if (known && known.entityType !== entityType) {
    return refused(
      'entity_type_fixed',
      `${key} is of a ${known.entityType} each; another feature needs another key`,
    );
  }
  const last = known && (await lastVersion(em, known.uid));
  const computed = {
    unit: request.unit,
    frequency: request.frequency,
    datasetId: dataset.id,
    expression: checked.expression,
    maxAgeDays: request.maxAgeDays,
  };
  if (known && last && isSame(last, computed)) {
    const isDescribed = known.description === description && known.ownerUid === owner;
    em.assign(known, { description, ownerUid: owner });
    await em.flush();
    return {
      ok: true,
      change: isDescribed ? 'unchanged' : 'described',
      feature: known,
      version: last.version,
    };
  }
  const feature =
    known ??
    em.create(Feature, {
      uid: newUid(prefixes.feature),
      workspaceUid: workspace,
      key,
      entityType,
      description,
      ownerUid: owner,
      status: 'active',
      createdAt: now,
    });
  em.assign(feature, { description, ownerUid: owner });
  await em.flush();
  const version = em.create(FeatureVersion, {
    uid: newUid(prefixes.featureVersion),
    featureUid: feature.uid,
    workspaceUid: workspace,
    version: (last?.version ?? 0) + 1,
    ...computed,
    createdByUid: request.by,
    createdAt: now,
  });
  await em.flush();
  await planMaterialisation(em, { versionId: version.id, workspace, now });
  const change = known ? 'version_added' : 'defined';
  return { ok: true, change, feature, version: version.version };
}

async function entitledDataset(em: Em, workspace: string, uid: string): Promise<Dataset | null> {
  const dataset = await em.findOne(Dataset, { uid });
  if (!dataset) return null;
  const { rows } = await sql`
    select from dataset_entitlement where workspace_uid = ${workspace} and dataset_id = ${dataset.id}
  `.execute(em.getKysely());
  return rows.length > 0 ? dataset : null;
}

function lastVersion(em: Em, featureUid: string): Promise<FeatureVersion | null> {
  return em.findOne(FeatureVersion, { featureUid }, { filters: false, orderBy: { version: 'desc' } });
}

function isSame(last: FeatureVersion, computed: Record<string, unknown>): boolean {
  return Object.entries(computed).every(([name, value]) => last[name as keyof FeatureVersion] === value);
}

function refused(code: Extract<DefineOutcome, { ok: false }>['code'], reason: string): DefineOutcome {
  return { ok: false, code, reason };
}
