import { Problem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { requireVersion } from '#lib/models/registry/required-version.query.ts';
import type { Run } from '#lib/pipeline/define-run.ts';
import { routeOfKind, type RunRoute } from '../../run-routes.ts';
import type { FoundModel } from './find-model.ts';
import { pointingToInput, requestOf, wholeRequestOf } from './run-input.ts';
import { runningOf } from './workspace-model.ts';

/** A request to run a model: its input, and the version that the caller relies on. */
export type RunModelBody = { version?: string | number; input: Record<string, unknown> };

export type ModelSubmission = Pick<RunRoute, 'run' | 'needs'> & {
  /** Checks the input and returns the request of the run. */
  request(): Readonly<Record<string, unknown>>;
  /** Runs a function. The problems that the function throws then point to members of the body. */
  pointing: typeof pointingToInput;
};

/** Returns the run that a model starts for a request. */
export function submissionOf(model: FoundModel, body: RunModelBody): ModelSubmission {
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
