import { EvaluationBody } from '#lib/qlms/evaluation/evaluation.schema.ts';
import { qlmEvaluationsRun } from '#lib/qlms/evaluation/qlm-evaluations.run.ts';
import { defineRunSubmission } from '../run-operations.ts';

export const evaluateQuestionModel = defineRunSubmission(qlmEvaluationsRun, {
  key: 'qlms.evaluate',
  product: 'Model building (QLM)',
  summary: 'Scores a version of a question model on a suite of cases.',
  description:
    'Answers the cases of a suite, or cases in the request, and compares the answers with the expected ones. A request without members evaluates the newest version on the suite of its gate, together with the built-in suite. Only such an evaluation can pass the gate. An evaluation never approves a version.',
  body: EvaluationBody,
  bodyOptional: true,
  subject: 'model_uid',
  sealed: 'The evaluation, sealed.',
});
