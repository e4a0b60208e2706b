import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { RequestOf } from '#lib/core/run.ts';
import { Application } from '#lib/access/application.entity.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { submitRun } from '#lib/pipeline/submit-run.command.ts';
import { QlmModel } from '../registry/qlm.entity.ts';
import { qlmEvaluationsRun } from './qlm-evaluations.run.ts';

type Input = {
  model: string;
  suite?: string | undefined;
  version?: number | undefined;
  application?: string | undefined;
};

/**
 * Starts an evaluation for a person. The run is counted for an application. The questions are answered with the scopes
 * of this application.
 */
export const startQlmEvaluation = defineCommand<Input>()({
  find: (em, { model }) => placeOfRecord(em, QlmModel, model),
  unknown: 'qlm_unknown',
  lock: async () => undefined,
  facts: (em, _locked, { application }) =>
    em.findOne(
      Application,
      {
        status: 'active',
        scopes: { $contains: [qlmEvaluationsRun.scope] },
        ...(application === undefined ? {} : { uid: application }),
      },
      { orderBy: { createdAt: 'asc', uid: 'asc' } },
    ),
  decide: (application) =>
    application ? { ok: true as const } : { ok: false as const, code: 'application_missing' as const },
  async write(em, application, _verdict, { input, place, now }) {
    const { model, suite, version } = input;
    const request: RequestOf<typeof qlmEvaluationsRun> = {
      model_uid: model,
      ...(suite === undefined ? {} : { suite }),
      ...(version === undefined ? {} : { version }),
    };
    const requestId = newUid(prefixes.request);
    const submitted = await submitRun(em, qlmEvaluationsRun, request, {
      application: application!.uid,
      requestId,
      now,
    });
    return { result: { ...submitted, place, application: application!.uid } };
  },
  entry: (_application, _verdict, _input, result) =>
    result && {
      op: 'qlm.evaluation_started',
      subject: { type: 'run', uid: result.uid },
      details: { kind: qlmEvaluationsRun.key, application_uid: result.application },
    },
  refusals: {
    qlm_unknown: 'There is no such question model.',
    application_missing: `The workspace has no active application with the scope ${qlmEvaluationsRun.scope}. Create one with assay app create.`,
  },
});
