import Type from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem } from '#lib/core/problem.ts';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import type { Em } from '#lib/database/orm.ts';
import { findNumericDataset } from '#lib/data/numeric-dataset.repository.ts';
import { driftAssessmentsJob } from '#lib/modeling/drift-assessments.job.ts';
import {
  driftIneligibility,
  ineligibilityText,
  type Ineligibility,
} from '#lib/modeling/drift-eligibility.ts';
import { DriftAssessmentRequest, type DriftInput } from '#lib/modeling/drift.schema.ts';
import { runStates } from '#lib/pipeline/run.ts';
import { OpenRun, RunResource, RunSummary, SealedRun } from '#lib/pipeline/run.schema.ts';
import { LqmModelUid } from '#lib/registry/checkpoint.schema.ts';
import { latestPassingCheckpoint } from '#lib/registry/evaluated-checkpoint.repository.ts';
import { findLqms } from '#lib/registry/lqm.repository.ts';
import { servingVersion } from '#lib/registry/model.repository.ts';
import { readRun, runsReply } from '../../run-reads.ts';
import { presentRun, submissionProblems } from '../../runs.ts';
import { defineOperation } from '../../services.ts';

const job = driftAssessmentsJob;

export const createDriftAssessment = defineOperation({
  key: 'lqm.models.drift_assessments.create',
  product: 'Model building (LQM)',
  method: 'POST',
  path: '/lqm/models/{uid}/drift-assessments',
  scope: 'lqm:build:run',
  summary:
    'Compares a newer governed dataset with what the latest passing checkpoint was trained on, and seals the answer.',
  description:
    'Tests every column, with the false discovery rate held over all tests and small changes left out, and all columns ' +
    'together. Material drift asks people to review a retraining; nothing is trained or promoted by it. Who is refused ' +
    'with `drift_ineligible` is told every reason in `reasons`.',
  body: DriftAssessmentRequest,
  success: { status: 201, description: 'The assessment, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: ['not_found', 'unknown_dataset', 'drift_ineligible', ...submissionProblems],
  async handle(call) {
    const { services, body, params, fail } = call;
    const submitted = await services.runs.submit(job, call, async (em) => {
      const modelVersion =
        (await servingVersion(em, job.model)) ??
        fail('model_not_approved', `${job.model} has no active version.`);
      const input = await eligibleInput(em, params.uid, body.dataset_id);
      return { input, modelVersion, datasetRevisions: {} };
    });
    return services.runs.answer(job, call, submitted);
  },
});

export const listDriftAssessments = defineOperation({
  key: 'lqm.drift_assessments.list',
  product: 'Model building (LQM)',
  method: 'GET',
  path: job.resource,
  scope: 'ml:read',
  addition: true,
  summary: 'Lists drift assessments, newest first, without their results.',
  description: 'Runs of the workspace in the environment of the credential, in any state.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(Type.Enum([...runStates], { description: 'Only runs in this state.' })),
    model_uid: Type.Optional(LqmModelUid),
  }),
  success: { status: 200, description: 'A page of runs.', schema: ListOf(RunSummary(job)) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { model_uid } = query;
    return runsReply(services, query, { job, input: { model_uid } });
  },
});

export const getDriftAssessment = defineOperation({
  key: 'lqm.drift_assessments.get',
  product: 'Model building (LQM)',
  method: 'GET',
  path: `${job.resource}/{uid}`,
  scope: 'ml:read',
  addition: true,
  summary: 'Reads a drift assessment, and waits for its end on request.',
  description: 'An assessment that ended without a result reads 200 with the state `failed`.',
  query: Closed(waitQuery),
  success: { status: 200, description: 'The run, sealed once it has succeeded.', schema: RunResource(job) },
  problems: ['not_found'],
  async handle(call) {
    const found =
      (await readRun(call, [job.key])) ?? call.fail('not_found', 'There is no such drift assessment.');
    return { status: 200, body: presentRun(found) };
  },
});

/** What is compared with what. Throws the problem of what is unknown, or cannot be compared. */
async function eligibleInput(em: Em, model: string, datasetId: number): Promise<DriftInput> {
  const [known] = isUid(model, prefixes.lqmModel) ? await findLqms(em, { model, most: 1 }) : [];
  if (!known) throw new Problem('not_found', 'There is no such numeric model.');
  const dataset = await findNumericDataset(em, datasetId);
  if (!dataset) throw new Problem('unknown_dataset', `There is no numeric dataset ${datasetId}.`);
  const checkpoint = await latestPassingCheckpoint(em, model);
  const { governance, contentHash, importedAt, rowCount, columns } = dataset;
  const reasons = driftIneligibility({
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

function ineligible(reasons: readonly Ineligibility[]): Problem {
  const text = reasons.map(ineligibilityText).join('; ');
  const rows = reasons.find((reason) => reason.code === 'rows_insufficient');
  const missing = reasons.find((reason) => reason.code === 'columns_missing');
  const governance = reasons.find((reason) => reason.code === 'dataset_not_governed');
  return new Problem('drift_ineligible', `Not assessed: ${text}.`, {
    members: {
      reasons: reasons.map(({ code }) => code),
      ...(missing && { missing_columns: missing.columns }),
      ...(governance && { governance_faults: governance.faults }),
      ...(rows && { observed: rows.observed, needed: rows.needed }),
    },
  });
}
