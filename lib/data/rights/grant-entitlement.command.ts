import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { placeOfWorkspace, workspaceUnknown } from '#lib/access/workspace.query.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { Dataset } from '../dataset.entity.ts';
import type { NamedDataset } from '../dataset-place.query.ts';
import { DataEntitlement } from './data-entitlement.entity.ts';
import { agreementHash, hasValidPeriods } from './terms.ts';
import type { EntitlementTerms } from './terms.schema.ts';

export type GrantRequest = {
  workspace: string;
  dataset: NamedDataset;
  terms: EntitlementTerms;
  licenceHash: string;
  licenceReference: string | null;
};

type Facts = { dataset: Dataset | null; open: number };

type Verdict =
  | { ok: true; state: 'proposed' | 'active'; dataset: Dataset }
  | { ok: false; code: 'dataset_unknown' | 'period_invalid' | 'too_many_entitlements' };

/**
 * The largest number of entitlements that one workspace can have on one dataset at a time. Ended entitlements are not
 * counted.
 */
const OPEN_MAX = 20;

/**
 * Writes the terms on which a workspace may use a dataset. Terms on a dataset of the workspace itself are in force at
 * once, because they can only restrict its use. Terms on a dataset of the platform or of another workspace are
 * proposed, and a second person approves them.
 */
export const grantEntitlement = defineCommand<GrantRequest>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: (em, { dataset }, { workspace }) =>
    acquireNamedLock(em, 'data-entitlement', workspace, 'uid' in dataset ? dataset.uid : String(dataset.id)),
  async facts(em, _locked, { dataset: named }, { place: { workspace } }): Promise<Facts> {
    const dataset = await em.findOne(Dataset, named);
    const owned = { datasetId: dataset?.id ?? 0, workspaceUid: workspace, state: { $ne: 'ended' as const } };
    return { dataset, open: await em.count(DataEntitlement, owned, { filters: false }) };
  },
  decide({ dataset, open }, { terms, workspace }): Verdict {
    if (!dataset) return { ok: false, code: 'dataset_unknown' };
    if (!hasValidPeriods(terms)) return { ok: false, code: 'period_invalid' };
    if (open >= OPEN_MAX) return { ok: false, code: 'too_many_entitlements' };
    return { ok: true, state: dataset.workspaceUid === workspace ? 'active' : 'proposed', dataset };
  },
  async write(em, _facts, { state, dataset }, at) {
    const { terms, licenceHash, licenceReference } = at.input;
    const { workspace } = at.place;
    const licence = { source_reference: licenceReference, source_hash: licenceHash };
    const entitlement = em.create(DataEntitlement, {
      uid: newUid(prefixes.dataEntitlement),
      workspaceUid: workspace,
      datasetId: dataset.id,
      datasetUid: dataset.uid,
      datasetKind: dataset.kind,
      datasetName: dataset.name,
      provider: terms.provider,
      permissions: terms.permissions,
      prohibitions: terms.prohibitions ?? [],
      duties: terms.duties ?? [],
      validFrom: terms.valid_from === undefined ? null : new Date(terms.valid_from),
      validUntil: terms.valid_until === undefined ? null : new Date(terms.valid_until),
      licenceReference,
      licenceHash,
      entitlementHash: agreementHash({ dataset_uid: dataset.uid, assignee: workspace, terms, licence }),
      state,
      proposedByUid: personOf(at),
      approvedByUid: null,
      suspendedByUid: null,
      endedByUid: null,
      createdAt: at.now,
      approvedAt: state === 'active' ? at.now : null,
      suspendedAt: null,
      endedAt: null,
    });
    return { result: entitlement };
  },
  entry: (_facts, verdict, _input, result) =>
    verdict.ok
      ? {
          op: 'data_entitlement.granted',
          subject: { type: 'data_entitlement', uid: result!.uid },
          payloadHash: result!.entitlementHash,
          details: { dataset: result!.datasetUid, state: verdict.state, licence_hash: result!.licenceHash },
        }
      : undefined,
  refusals: {
    workspace_unknown: workspaceUnknown,
    dataset_unknown: 'The dataset does not exist.',
    period_invalid: 'A period of the terms ends before it begins.',
    too_many_entitlements: `The workspace has ${OPEN_MAX} entitlements on the dataset that have not ended. End one first.`,
  },
});
