import Type, { type Static, type TSchema } from 'typebox';
import type { Caller } from '#lib/core/operation.ts';
import { Problem, type ProblemCode } from '#lib/core/problem.ts';
import type { RunKind } from '#lib/core/run.ts';
import { Closed } from '#lib/core/schema.ts';
import type { Scope } from '#lib/core/scope.ts';
import type { Em } from '#lib/database/base.ts';
import { requireVersion } from '#lib/models/registry/required-version.query.ts';
import type { Run } from '#lib/pipeline/define-run.ts';
import { OpenRun, SealedRun } from '#lib/pipeline/run.schema.ts';
import { RunVersion } from '#lib/quant/models/run-version.schema.ts';
import { runs } from '#lib/runs.ts';
import { entitlementMissing, insufficientScope } from '../../http/access.ts';
import { submissionProblems } from '../../runs.ts';
import { routeOfKind, type RunRoute } from '../../run-routes.ts';
import { defineOperation } from '../../services.ts';
import { findModel, type FoundModel } from './find-model.ts';
import { pointingToInput, requestOf, wholeRequestOf } from './run-input.ts';
import { runningOf } from './workspace-model.ts';

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

type Submission = Pick<RunRoute, 'run' | 'needs'> & {
  /** Checks the input and returns the request of the run. */
  request(): Readonly<Record<string, unknown>>;
  /** Runs a function. The problems that the function throws then point to members of the body. */
  pointing: typeof pointingToInput;
};

/** Returns the run that the model starts. */
function submissionOf(model: FoundModel, body: Static<typeof RunModelRequest>): Submission {
  const { run, route } = 'own' in model ? runningOf(model.own) : model.builtIn;
  if (route === null) {
    const named = { model: 'own' in model ? model.own.uid : model.builtIn.key, ...body };
    return { run, needs: () => [], request: () => wholeRequestOf(run, named), pointing: (work) => work() };
  }
  const { input } = body;
  const { needs } = route;
  const version = body.version === undefined ? undefined : String(body.version);
  if ('own' in model) {
    const { key } = model.own;
    const request = () =>
      requestOf(route, input, { model: key, version: version === undefined ? undefined : numberOf(version) });
    return { run, needs, request, pointing: pointingToInput };
  }
  const { registered } = model.builtIn;
  const taken = routeOfKind(route, input['kind']);
  const checked =
    version === undefined ? taken.run : guarded(taken.run, (em) => requireVersion(em, registered, version));
  const request = () => requestOf(taken, input);
  return { run: checked, needs: taken.needs, request, pointing: pointingToInput };
}

/**
 * Returns the run with an additional check in the transaction of the submission. A retry of the submission skips the
 * check.
 */
function guarded(run: Run, check: (em: Em) => Promise<void>): Run {
  return {
    ...run,
    async resolve(em, request, at) {
      await check(em);
      return run.resolve(em, request, at);
    },
  };
}

/** Returns the number of a version of a workspace's model. Its versions are whole numbers from 1. */
function numberOf(version: string): number {
  const number = Number(version);
  if (Number.isInteger(number) && number >= 1 && number <= 2_147_483_647) return number;
  throw new Problem('not_found', `The model has no version ${version}.`);
}

/** Refuses a caller that could not submit the run with the operation of the run. */
function requireScope({ scopes, entitlements }: Caller, scope: Scope): void {
  if (scopes.has(scope)) return;
  throw entitlements.has(scope) ? insufficientScope(scope) : entitlementMissing(scope);
}
