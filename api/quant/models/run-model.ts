import Type, { type TSchema } from 'typebox';
import type { Caller } from '#lib/core/operation.ts';
import type { ProblemCode } from '#lib/core/problem.ts';
import type { RunKind } from '#lib/core/run.ts';
import { Closed } from '#lib/core/schema.ts';
import type { Scope } from '#lib/core/scope.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { RunVersion } from '#lib/quant/models/run-version.schema.ts';
import { runs } from '#lib/runs.ts';
import { entitlementMissing, insufficientScope } from '../../http/access.ts';
import { submissionProblems } from '../../runs.ts';
import { defineOperation } from '../../services.ts';
import { findModel } from './find-model.ts';
import { submissionOf } from './model-submission.ts';

const kinds = Object.values<RunKind>(runs).filter(({ isScheduled }) => !isScheduled);
const refusals = [...new Set(kinds.flatMap((run) => [...run.refusals, ...run.problems]))];

const RunModelRequest = Closed(
  {
    version: Type.Optional(RunVersion),
    input: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The input, as described by `schemas.input` of `GET /quant/models/{key}`.',
      examples: [{ as_of_date: '2020-09-30' }],
    }),
  },
  {
    title: 'RunModelRequest',
    description: 'The input of a model.',
    examples: [{ input: { as_of_date: '2020-09-30' } }],
  },
);

const anyOf = (schemaOf: (run: RunKind) => TSchema, title: string, description: string) =>
  Type.Union(kinds.map(schemaOf), { title, description });

export const runModel = defineOperation({
  key: 'quant.models.run',
  product: 'Quant',
  method: 'POST',
  path: '/quant/models/{key}/run',
  scope: 'quant:models:run',
  summary: 'Runs a model and seals the result.',
  description:
    'A run of an analytic or generative model is the same as a run through the operation of that model: the input is checked in the same ' +
    'way, `Location` is the path of the same resource, and the credential also needs the scope of that operation. ' +
    'A statistical model forecasts a series with one method. A prediction model predicts its target from rows of a ' +
    'dataset or of the request. Faults of the input have pointers below `/input`. Without `version`, the serving version is used.',
  body: RunModelRequest,
  success: {
    status: 201,
    description: 'The sealed run.',
    schema: anyOf(SealedRun, 'SealedModelRun', 'A sealed run of a model.'),
  },
  accepted: anyOf(OpenRun, 'OpenModelRun', 'A run of a model without a result.'),
  problems: [...new Set<ProblemCode>(['not_found', 'model_superseded', ...submissionProblems, ...refusals])],
  async handle(handled) {
    const { services, params, caller, body, fail } = handled;
    const found = await services.query(findModel, params.key);
    const model = found ?? fail('not_found' as never, 'There is no such model.');
    const { run, request, needs, pointing } = submissionOf(model, body);
    requireScope(caller, run.scope);
    return pointing(async () => {
      const requested = request();
      for (const scope of needs(requested)) requireScope(caller, scope);
      const submitted = await services.runs.submit(run, handled, requested as never);
      return (await services.runs.answer(run, handled, submitted)) as never;
    });
  },
});

/** Refuses a caller that could not submit the run with the operation of the run. */
function requireScope({ scopes, entitlements }: Caller, scope: Scope): void {
  if (scopes.has(scope)) return;
  throw entitlements.has(scope) ? insufficientScope(scope) : entitlementMissing(scope);
}
