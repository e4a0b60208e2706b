import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { LqmModelUid, LqmVersionNumber } from '#lib/registry/checkpoint.schema.ts';
import { EvaluationInput } from '#lib/registry/model-run.schema.ts';
import { evaluationsRun } from '#lib/modeling/evaluations.run.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { submissionProblems } from '../../runs.ts';
import { defineRunList, defineRunRead } from '../../run-operations.ts';
import { defineOperation } from '../../services.ts';
import {
  evaluationInput,
  findVersion,
  HOLDOUT_SHARE,
  openVersion,
} from '#lib/modeling/model-run.repository.ts';

const job = evaluationsRun;

export const createEvaluation = defineOperation({
  key: 'lqm.evaluations.create',
  product: 'Model building (LQM)',
  method: 'POST',
  path: '/lqm/models/{uid}/evaluations',
  scope: 'lqm:build:run',
  addition: true,
  summary:
    'Evaluates the checkpoint of a numeric model on months that it was not fitted on, and seals the answer.',
  description:
    'The model is fitted without the last months, which are then told of one step ahead, beside one normal distribution.',
  body: Closed(
    {
      version: Type.Optional({
        ...LqmVersionNumber,
        description: 'The version. The newest when it is left out.',
      }),
      holdout_share: Type.Optional({ ...EvaluationInput.properties.holdout_share, default: HOLDOUT_SHARE }),
    },
    { title: 'ModelEvaluationRequest', description: 'Which version.' },
  ),
  bodyOptional: true,
  success: { status: 201, description: 'The evaluation, sealed.', schema: SealedRun(job) },
  accepted: OpenRun(job),
  problems: [
    'not_found',
    'model_version_closed',
    'no_checkpoint',
    'dataset_not_governed',
    ...job.problems,
    ...submissionProblems,
  ],
  async handle(call) {
    const { services, body, params } = call;
    const submitted = await services.runs.submit(job, call, async (em) => {
      const version = openVersion(await findVersion(em, params.uid, body.version));
      return {
        input: await evaluationInput(em, version, body.holdout_share ?? HOLDOUT_SHARE),
      };
    });
    return services.runs.answer(job, call, submitted);
  },
});

export const listEvaluations = defineRunList(job, {
  key: 'lqm.evaluations.list',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Lists evaluations of numeric models, newest first, without their results.',
  filters: {
    model_uid: Type.Optional(LqmModelUid),
  },
});

export const getEvaluation = defineRunRead(job, {
  key: 'lqm.evaluations.get',
  product: 'Model building (LQM)',
  scope: 'ml:read',
  summary: 'Reads an evaluation, and waits for its end on request.',
  description: 'An evaluation that was refused after it was accepted reads 200 with the state `failed`.',
  noun: 'evaluation',
});
