import { LockMode } from '@mikro-orm/core';
import { defineCommand } from '#lib/governance/command.ts';
import { placeOfWorkspace, workspaceUnknown } from '#lib/access/workspace.query.ts';
import { Feature } from '../feature.entity.ts';

type Input = { workspace: string; key: string };

type RetireVerdict =
  | { ok: true }
  | { ok: false; code: 'feature_unknown' | 'feature_retired'; detail: string };

/** Retires a feature. Its values are kept, and no new values are computed. */
export const retireFeature = defineCommand<Input>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: (em, { key }, { workspace: workspaceUid }) =>
    em.findOne(Feature, { workspaceUid, key }, { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE }),
  facts: async (_em, feature) => feature,
  decide: (feature, { key }) => decideRetirement(feature, key),
  async write(em, feature) {
    em.assign(feature!, { status: 'retired' });
    return { result: { uid: feature!.uid } };
  },
  entry: (feature, verdict, { key }) =>
    verdict.ok
      ? { op: 'feature.retired', subject: { type: 'feature', uid: feature!.uid }, details: { key } }
      : undefined,
  refusals: { workspace_unknown: workspaceUnknown },
});

function decideRetirement(feature: Pick<Feature, 'status'> | null, key: string): RetireVerdict {
  if (!feature) {
    return { ok: false, code: 'feature_unknown', detail: `The workspace has no feature ${key}.` };
  }
  if (feature.status === 'active') return { ok: true };
  return { ok: false, code: 'feature_retired', detail: `The feature ${key} is already retired.` };
}
