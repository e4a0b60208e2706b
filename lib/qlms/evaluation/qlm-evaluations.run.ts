import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { QLM_EVALUATIONS } from '../registry/qlm.query.ts';
import { evaluationInput } from './evaluation-input.query.ts';
import { EvaluationInput, EvaluationRequest, EvaluationResult } from './evaluation.schema.ts';

export const qlmEvaluationsRun = defineRun({
  key: QLM_EVALUATIONS,
  prefix: prefixes.qlmEvaluation,
  queue: 'numerics',
  scope: 'qlm:evaluate',
  resource: '/qlm-evaluations',
  submission: '/qlms/{uid}/evaluate',
  model: 'svc_qlm_evaluation_v1',
  request: EvaluationRequest,
  input: EvaluationInput,
  summary: ['model_uid', 'version_uid', 'version', 'suite_uid', 'counts_for_gate'],
  output: Closed({ result: EvaluationResult }),
  headline: [
    { name: 'cases', unit: 'count', pointer: '/result/cases' },
    { name: 'outcome_accuracy', unit: 'share', pointer: '/result/outcome/accuracy/rate' },
    { name: 'false_answers', unit: 'count', pointer: '/result/false_answers/k' },
  ],
  attachments: Closed({}),
  refusals: ['not_found', 'version_closed', 'bound_model_unavailable'],
  problems: [],
  timeoutMs: 600_000,
  attempts: 20,
  resolve: async (em, request, by) => ({
    input: await evaluationInput(em, request, by),
    datasetRevisions: await currentRevisions(em),
  }),
});
