import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { DriftInput, DriftMetric } from './drift.schema.ts';

export type SealedAssessment = { uid: string; input: DriftInput; sealHash: string; now: Date };

/** Writes each statistic of an assessment as a row. Each row has the hash of the seal of the assessment. */
export async function keepDriftMetrics(
  em: Em,
  { uid, input, sealHash, now }: SealedAssessment,
  metrics: readonly DriftMetric[],
): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    insert into drift_metric (assessment_uid, position, workspace_uid, environment, model_uid, dataset_id, column_name,
      name, value, p_value, adjusted_p, threshold, state, n_reference, n_current, seal_hash, recorded_at)
    select ${uid}, place - 1, ${workspace}, ${environment}, ${input.model_uid}, ${input.dataset.id}, m ->> 'column',
      m ->> 'name', (m ->> 'value')::float8, (m ->> 'p_value')::float8, (m ->> 'adjusted_p')::float8,
      (m ->> 'threshold')::float8, m ->> 'state', (m ->> 'n_reference')::integer, (m ->> 'n_current')::integer,
      ${sealHash}, ${now}
    from jsonb_array_elements(${JSON.stringify(metrics)}::jsonb) with ordinality as given (m, place)
  `.execute(em.getKysely());
}

/** Appends the outcome of an assessment to the audit log. */
export async function recordAssessment(
  em: Em,
  { uid, input, sealHash, now }: SealedAssessment,
  result: { severity: string; retraining_requested: boolean },
): Promise<void> {
  await appendAudit(em, {
    at: now,
    op: 'drift.assessed',
    actor: { kind: 'system' },
    subject: { type: 'drift_assessment', uid },
    afterHash: sealHash,
    details: {
      model_uid: input.model_uid,
      severity: result.severity,
      retraining_requested: result.retraining_requested,
    },
  });
}

/**
 * Requests that a person decides whether to retrain the model. Does nothing if a request for this model, checkpoint and
 * dataset is open. Returns the uid of the new request.
 */
export async function requestRetraining(em: Em, assessment: SealedAssessment): Promise<string | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { uid: assessmentUid, input, sealHash, now } = assessment;
  const uid = newUid(prefixes.retrainingRequest);
  const { rows } = await sql`
    insert into retraining_request (uid, workspace_uid, environment, model_uid, version_uid, checkpoint_hash,
      dataset_id, dataset_revision, assessment_uid, seal_hash, author_uid, requester_uid, requested_at, state)
    select ${uid}, ${workspace}, ${environment}, v.model_uid, v.uid, ${input.checkpoint_hash}, ${input.dataset.id},
      ${input.dataset.revision}, r.uid, ${sealHash}, v.author_uid, coalesce(a.accountable_uid, a.owner_uid), ${now},
      'pending_review'
    from run r join application a on a.uid = r.application_uid, lqm_version v
    where r.uid = ${assessmentUid} and v.uid = ${input.version_uid}
    on conflict (model_uid, checkpoint_hash, dataset_id) where state = 'pending_review' do nothing
    returning uid
  `.execute(em.getKysely());
  if (rows.length === 0) return undefined;
  await appendAudit(em, {
    at: now,
    op: 'lqm.retraining_requested',
    actor: { kind: 'system' },
    subject: { type: 'retraining_request', uid },
    details: {
      model_uid: input.model_uid,
      version: input.version,
      checkpoint_hash: input.checkpoint_hash,
      dataset_id: input.dataset.id,
      assessment_uid: assessmentUid,
      seal_hash: sealHash,
    },
  });
  return uid;
}
