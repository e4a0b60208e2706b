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
  /** The application that the run counts for. The oldest with the scope of the run when left out. */
  application?: string | undefined;
};

type StartVerdict = { ok: true } | { ok: false; code: 'application_missing' };

/** Starts the training of a version of a numeric model by a person. */
export const startTraining = startRun(trainingsRun);

/** Starts the evaluation of the checkpoint of a version by a person. */
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
      // The members of a start and of a request are the same but for the model and the application.
      const request = { ...options, model_uid: model } as RequestOf<ModelRun>;
      const { submitted, entry } = await submitModelRun(em, run, request, { application: application!, now });
      return { result: { ...submitted, place, entry } };
    },
    entry: (_application, _verdict, _input, result) => result?.entry,
    refusals: {
      model_unknown: 'The numeric model does not exist.',
      application_missing: `The workspace has no such active application with the scope ${run.scope}. The command assay app create makes one.`,
    } satisfies Record<RefusalCode<StartVerdict> | 'model_unknown', string>,
  });
}

/** Submits a run on a version of a model in the caller's transaction, with the audit entry of who started it. */
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

/** The application in whose name a person's run is made: the limit of running work counts by it. */
async function runningApplication(em: Em, run: ModelRun, named?: string): Promise<string | undefined> {
  const found = await em.findOne(
    Application,
    { status: 'active', scopes: { $contains: [run.scope] }, ...(named === undefined ? {} : { uid: named }) },
    { orderBy: { createdAt: 'asc', uid: 'asc' } },
  );
  return found?.uid;
}
