import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { placeOfWorkspace, workspaceUnknown } from '#lib/access/workspace.query.ts';
import { namedPerson } from '#lib/access/named-person.query.ts';
import { answerUse } from '../rights/ask-rights.query.ts';
import { Feature, FeatureVersion } from '../feature.entity.ts';
import { decideFeature, type DefineFacts } from './define.ts';
import type { FeatureDefinition } from './definition.ts';
import { planMaterialisation } from './materialisation.write.ts';

export type DefineRequest = FeatureDefinition & {
  workspace: string;
  /** The uid of the dataset from which the feature is computed. */
  dataset: string;
  /** The uid of the person responsible for the feature. Default: the person who defines it. */
  owner?: string | undefined;
};

type Facts = DefineFacts & { feature: Feature | null };

/** Defines a feature of a workspace. A different computation under an existing key creates a further version. */
export const defineFeature = defineCommand<DefineRequest>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: (em, { key }, { workspace }) => acquireNamedLock(em, 'feature', workspace, key),
  async facts(em, _locked, { key, dataset, ...named }, at): Promise<Facts> {
    const { workspace } = at.place;
    const owner = await namedPerson(em, workspace, named.owner ?? personOf(at));
    const feature = await em.findOne(Feature, { workspaceUid: workspace, key }, { filters: false });
    const last = feature && (await lastVersion(em, feature.uid));
    const known = feature ? { ...fieldsOf(feature), last: last ?? undefined } : undefined;
    return {
      owner,
      dataset: await entitledDataset(em, { workspace, uid: dataset, now: at.now }),
      known,
      feature,
    };
  },
  decide: (facts, wanted) => decideFeature(facts, wanted),
  async write(em, { feature: known, owner }, { change, version, computed }, at) {
    const { workspace, key, entityType, description } = at.input;
    const now = at.now;
    const feature =
      known ??
      em.create(Feature, {
        uid: newUid(prefixes.feature),
        workspaceUid: workspace,
        key,
        entityType,
        description,
        ownerUid: owner!.uid,
        status: 'active',
        createdAt: now,
      });
    em.assign(feature, { description, ownerUid: owner!.uid });
    await em.flush();
    const result = { uid: feature.uid, owner: owner!.uid };
    if (change === 'unchanged' || change === 'described') return { result };
    const made = em.create(FeatureVersion, {
      uid: newUid(prefixes.featureVersion),
      featureUid: feature.uid,
      workspaceUid: workspace,
      version,
      ...computed,
      createdByUid: personOf(at),
      createdAt: now,
    });
    await em.flush();
    await planMaterialisation(em, { versionId: made.id, workspace, now });
    return { result };
  },
  entry(_facts, verdict, { key, dataset, expression }, result) {
    if (!verdict.ok || verdict.change === 'unchanged') return undefined;
    const { uid, owner } = result!;
    return {
      op: `feature.${verdict.change}`,
      subject: { type: 'feature', uid, version: verdict.version },
      details: { key, dataset, expression, owner },
    };
  },
  refusals: { workspace_unknown: workspaceUnknown },
});

async function entitledDataset(
  em: Em,
  { workspace, uid, now }: { workspace: string; uid: string; now: Date },
): Promise<DefineFacts['dataset']> {
  const { rows } = await sql<{ id: number; kind: string }>`
    select d.id, d.kind from dataset d
    join dataset_entitlement e on e.dataset_id = d.id and e.workspace_uid = ${workspace}
    where d.uid = ${uid}
  `.execute(em.getKysely());
  const found = rows[0];
  if (!found) return undefined;
  const { denied } = await answerUse(em, { action: 'derive', rows: 'all', now, workspace });
  return { ...found, denial: denied.find(({ id }) => id === found.id)?.decision.code };
}

function lastVersion(em: Em, featureUid: string): Promise<FeatureVersion | null> {
  return em.findOne(FeatureVersion, { featureUid }, { filters: false, orderBy: { version: 'desc' } });
}

function fieldsOf({ status, entityType, description, ownerUid }: Feature) {
  return { status, entityType, description, ownerUid };
}
