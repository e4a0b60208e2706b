import { LockMode } from '@mikro-orm/core';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { RequestOf } from '#lib/core/run.ts';
import type { Em } from '#lib/database/base.ts';
import { defineCommand, type Entry, type RefusalCode } from '#lib/governance/command.ts';
import { submitRun, type Submitted } from '#lib/pipeline/submit-run.command.ts';
import { LqmModel } from '#lib/models/registry/lqm.entity.ts';
import { Application } from '#lib/access/application.entity.ts';
import { evaluationsRun } from './evaluations.run.ts';
import { trainingsRun } from './trainings.run.ts';
import { lqmPlace } from '../registry/lqm-place.query.ts';

type ModelRun = typeof trainingsRun | typeof evaluationsRun;

type Start<R extends ModelRun> = Omit<RequestOf<R>, 'model_uid'> & {
  model: string;
  /** The application for which the run is counted. Default: the oldest application with the scope of the run. */
  application?: string | undefined;
};

type StartVerdict = { ok: true } | { ok: false; code: 'application_missing' };

/** Starts the training of a model version. A person starts it, and the run is counted for an application. */
export const startTraining = startRun(trainingsRun);

/** Starts the evaluation of a version's checkpoint. A person starts it, and the run is counted for an application. */
export const startEvaluation = startRun(evaluationsRun);

function startRun<R extends ModelRun>(run: R) {
  return defineCommand<Start<R>>()({
    find: (em, { model }) => lqmPlace(em, model),
    unknown: 'model_unknown',
    lock: (em, { model }) =>
      em.findOneOrFail(LqmModel, { uid: model }, { lockMode: LockMode.PESSIMISTIC_WRITE }),
    facts: (em, _model, { application }) => runningApplication(em, run, application),
    decide: (application): StartVerdict =>
      application ? { ok: true } : { ok: false, code: 'application_missing' },
    async write(em, application, _verdict, { input, place, now }) {
      const { model, application: _named, ...options } = input;
      // The input of this command has the members of an API request, except that it names the model as
      // `model` and also names the application.
      const request = { ...options, model_uid: model } as RequestOf<ModelRun>;
      const { submitted, entry } = await submitModelRun(em, run, request, { application: application!, now });
      return { result: { ...submitted, place, entry } };
    },
    entry: (_application, _verdict, _input, result) => result?.entry,
    refusals: {
      model_unknown: 'The numeric model does not exist.',
      application_missing: `The workspace has no active application with the scope ${run.scope}. Create one with assay app create.`,
    } satisfies Record<RefusalCode<StartVerdict> | 'model_unknown', string>,
  });
}

/**
 * Submits a run on a model version in the caller's transaction, with an audit entry for the person who started the run.
 */
export async function submitModelRun(
  em: Em,
  run: ModelRun,
  request: RequestOf<ModelRun>,
  { application, now }: { application: string; now: Date },
): Promise<{ submitted: Submitted; entry: Entry }> {
  await em.flush();
  const requestId = newUid(prefixes.request);
  const submitted = await submitRun<ModelRun>(em, run, request, { application, requestId, now });
  const entry: Entry = {
    op: run.key === trainingsRun.key ? 'lqm.training_started' : 'lqm.evaluation_started',
    subject: { type: 'run', uid: submitted.uid },
    details: { kind: run.key, application_uid: application },
  };
  return { submitted, entry };
}

/** Returns the application for which a person's run is counted. The limit of running work applies per application. */
async function runningApplication(em: Em, run: ModelRun, named?: string): Promise<string | undefined> {
  const found = await em.findOne(
    Application,
    { status: 'active', scopes: { $contains: [run.scope] }, ...(named === undefined ? {} : { uid: named }) },
    { orderBy: { createdAt: 'asc', uid: 'asc' } },
  );
  return found?.uid;
}
