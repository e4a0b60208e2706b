import { LockMode } from '@mikro-orm/core';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import type { Em } from '#lib/database/base.ts';
import { lqmPlace } from './lqm-place.query.ts';
import { LqmModel, LqmServing, LqmVersion } from './lqm.entity.ts';
import { findLqms, type LqmInVersion } from './lqm.query.ts';
import { decideLqm, purposeOf, type LqmEvent, type LqmVerdict } from './lqm.ts';

type Input = {
  model: string;
  /** The number of the version to decide on. Default: the newest version. */
  version?: number | undefined;
  event: LqmEvent;
  /** The reason of a retirement, stored with the version. */
  reason?: string | undefined;
};

type Facts = { found: LqmInVersion; superseded: boolean } | undefined;
type VersionVerdict = LqmVerdict | { ok: false; code: 'version_unknown' };

/**
 * Approves a version of a numeric model, or retires it permanently. An approved version becomes the serving version.
 */
export const decideVersion = defineCommand<Input>()({
  find: (em, { model }) => lqmPlace(em, model),
  unknown: 'model_unknown',
  lock: (em, { model }) =>
    em.findOneOrFail(LqmModel, { uid: model }, { lockMode: LockMode.PESSIMISTIC_WRITE }),
  async facts(em, _model, { model, version }): Promise<Facts> {
    const [found] = await findLqms(em, { model, version, limit: 1 });
    const [newest] = await findLqms(em, { model, state: 'approved', limit: 1 });
    return found && { found, superseded: newest !== undefined && newest.version > found.version };
  },
  decide(facts, { event }, at): VersionVerdict {
    if (!facts) return { ok: false, code: 'version_unknown' };
    const { state, authorUid: author, passed, serves } = facts.found;
    const { superseded } = facts;
    return decideLqm({ state, author, passed, serves, superseded }, event, personOf(at));
  },
  async write(em, facts, _verdict, at) {
    const { found } = facts!;
    const { event, reason = null } = at.input;
    await writeDecision(em, found, { event, by: personOf(at), reason, now: at.now });
    return { result: { version: found.version } };
  },
  entry: (facts, _verdict, { model, event, reason }) =>
    facts && {
      op: event === 'approve' ? 'lqm.approved' : 'lqm.retired',
      subject: { type: 'lqm_model', uid: model },
      details: {
        version: facts.found.version,
        checkpoint_hash: facts.found.checkpointHash,
        ...(reason && { reason }),
      },
    },
  refusals: {
    model_unknown: 'The numeric model does not exist.',
    version_unknown: 'The model has no such version.',
    model_not_evaluated: 'The version has no evaluation. Train and evaluate it first.',
    evaluation_failed: 'The evaluation of the version did not pass.',
    approver_is_author: 'The author of a version cannot approve it.',
    model_approved: 'The version is already approved and serving.',
    model_superseded: 'A newer version is approved. Retire that version first.',
    model_retired: 'The version is retired.',
  } satisfies Record<RefusalCode<VersionVerdict> | 'model_unknown', string>,
});

type Decision = { event: LqmEvent; by: string; reason: string | null; now: Date };

async function writeDecision(
  em: Em,
  found: LqmInVersion,
  { event, by, reason, now }: Decision,
): Promise<void> {
  const version = await em.findOneOrFail(LqmVersion, { uid: found.versionUid });
  if (event === 'approve' && found.state !== 'approved') {
    em.assign(version, {
      evaluationUid: found.evaluationUid,
      checkpointHash: found.checkpointHash,
      approvedByUid: by,
      approvedAt: now,
    });
  } else if (event === 'retire')
    em.assign(version, { retiredByUid: by, retiredAt: now, retiredReason: reason });
  if (event === 'retire' && !found.serves) return;
  const { workspaceUid, environment } = version;
  const purpose = purposeOf(found.family);
  em.create(LqmServing, {
    workspaceUid,
    environment,
    purpose,
    modelUid: purpose === 'prediction' ? found.modelUid : null,
    versionUid: event === 'approve' ? found.versionUid : null,
    setByUid: by,
    since: now,
  });
}
