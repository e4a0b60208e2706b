import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem } from '#lib/core/problem.ts';
import { findNumericDataset } from '#lib/data/numeric-dataset.write.ts';
import type { Em } from '#lib/database/base.ts';
import { latestPassingCheckpoint } from '#lib/models/registry/evaluated-checkpoint.query.ts';
import { findLqms } from '#lib/models/registry/lqm.query.ts';
import {
  driftIneligibilityReasons,
  ineligibilityText,
  type DriftIneligibilityReason,
} from './drift-eligibility.ts';
import type { DriftInput, DriftRequest } from './drift.schema.ts';

/**
 * Returns the checkpoint and the dataset to compare. Throws a problem if the checkpoint or the dataset is unknown, or
 * if the two cannot be compared.
 */
export async function driftInput(
  em: Em,
  { model_uid: model, dataset_id: datasetId }: DriftRequest,
): Promise<DriftInput> {
  const [known] = isUid(model, prefixes.lqmModel) ? await findLqms(em, { model, limit: 1 }) : [];
  if (!known) throw new Problem('not_found', 'This numeric model does not exist.');
  const dataset = await findNumericDataset(em, datasetId);
  if (!dataset) throw new Problem('unknown_dataset', `The numeric dataset ${datasetId} does not exist.`);
  const checkpoint = await latestPassingCheckpoint(em, model);
  const { governance, contentHash, importedAt, rowCount, columns } = dataset;
  const reasons = driftIneligibilityReasons({
    checkpoint: checkpoint && {
      columns: checkpoint.factors,
      trainingDataHash: checkpoint.dataset.content_hash,
      lastMonth: checkpoint.lastMonth,
    },
    dataset: {
      ungoverned: governance.governed ? [] : governance.reasons,
      contentHash,
      importedAt,
      columns: columns.map(({ name }) => name),
      rows: rowCount,
    },
  });
  if (!checkpoint || reasons.length > 0) throw ineligible(reasons);
  const { id, revision, content_hash } = checkpoint.dataset;
  return {
    model_uid: model,
    version_uid: checkpoint.versionUid,
    version: checkpoint.version,
    content_hash: checkpoint.contentHash,
    training_uid: checkpoint.trainingUid,
    checkpoint_hash: checkpoint.checkpointHash,
    evaluation_uid: checkpoint.evaluationUid,
    evaluated_at: checkpoint.evaluatedAt,
    columns: checkpoint.factors,
    reference: { id, revision, content_hash },
    dataset: { uid: dataset.uid, id: datasetId, revision: dataset.revision, content_hash: contentHash },
  };
}

function ineligible(reasons: readonly DriftIneligibilityReason[]): Problem {
  const text = reasons.map(ineligibilityText).join('; ');
  const rows = reasons.find((reason) => reason.code === 'rows_insufficient');
  const missing = reasons.find((reason) => reason.code === 'columns_missing');
  const governance = reasons.find((reason) => reason.code === 'dataset_not_governed');
  return new Problem('drift_ineligible', `The drift cannot be assessed: ${text}.`, {
    members: {
      reasons: reasons.map(({ code }) => code),
      ...(missing && { missing_columns: missing.columns }),
      ...(governance && { governance_faults: governance.faults }),
      ...(rows && { observed: rows.observed, needed: rows.needed }),
    },
  });
}
