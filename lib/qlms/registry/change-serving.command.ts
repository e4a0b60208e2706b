import { LockMode } from '@mikro-orm/core';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { QlmModel, QlmServing, QlmVersion } from './qlm.entity.ts';
import { findQlmVersions } from './qlm.query.ts';
import { decideServing, type ServingEvent, type ServingState } from './states.ts';

type Input = { model: string; event: ServingEvent; reason: string | null };

const OPS: Readonly<Record<ServingState, `qlm.${string}`>> = {
  suspended: 'qlm.suspended',
  resume_requested: 'qlm.resume_requested',
  serving: 'qlm.resumed',
  retired: 'qlm.retired',
};

/** Suspends a question model, resumes it (two persons), or retires its serving version permanently. */
export const changeQlmServing = defineCommand<Input>()({
  find: (em, { model }) => placeOfRecord(em, QlmModel, model),
  unknown: 'qlm_unknown',
  lock: (em, { model }) =>
    em.findOneOrFail(QlmModel, { uid: model }, { lockMode: LockMode.PESSIMISTIC_WRITE }),
  async facts(em, model) {
    const versions = await findQlmVersions(em, { model: model.uid });
    const serving = versions[0]?.serving ?? null;
    return { model, serving, version: versions.find(({ versionUid }) => versionUid === serving?.versionUid) };
  },
  decide: ({ serving }, { event }, at) =>
    decideServing({ state: serving?.state ?? null, setBy: serving?.setBy ?? null }, event, personOf(at)),
  async write(em, { model, version }, { next }, at) {
    const versionUid = version!.versionUid;
    if (next === 'retired') {
      const retired = await em.findOneOrFail(QlmVersion, { uid: versionUid });
      em.assign(retired, {
        retiredByUid: personOf(at),
        retiredAt: at.now,
        retiredReason: at.input.reason,
      });
    }
    em.create(QlmServing, {
      workspaceUid: model.workspaceUid,
      environment: model.environment,
      modelUid: model.uid,
      versionUid: next === 'retired' ? null : versionUid,
      state: next,
      reason: at.input.reason,
      setByUid: personOf(at),
      since: at.now,
    });
    return { result: { state: next, version: version!.version } };
  },
  entry: ({ version }, verdict, { model, reason }) =>
    verdict.ok
      ? {
          op: OPS[verdict.next],
          subject: { type: 'qlm_model', uid: model },
          details: { version: version!.version, ...(reason === null ? {} : { reason }) },
        }
      : undefined,
  refusals: {
    qlm_unknown: 'There is no such question model.',
    not_serving: 'The question model has no serving version.',
    not_suspended: 'The question model is not suspended.',
    already_suspended: 'The question model is suspended already.',
    second_person_required: 'Another person must confirm the resumption.',
  },
});
