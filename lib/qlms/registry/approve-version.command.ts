import { LockMode } from '@mikro-orm/core';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { boundState } from '../readers/bound-model.query.ts';
import { QlmModel, QlmServing, QlmSuite, QlmVersion } from './qlm.entity.ts';
import { findQlmVersions } from './qlm.query.ts';
import { decideApproval, type ApprovalVerdict } from './states.ts';

/**
 * Approves a version. From then on, this version is the serving version. The approval is based on the latest evaluation
 * that is valid for the gate.
 */
export const approveQlmVersion = defineCommand<{ version: string }>()({
  find: (em, { version }) => placeOfRecord(em, QlmVersion, version),
  unknown: 'version_unknown',
  async lock(em, { version }) {
    const { modelUid } = await em.findOneOrFail(QlmVersion, { uid: version });
    return em.findOneOrFail(QlmModel, { uid: modelUid }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  },
  async facts(em, _model, { version }) {
    const [found] = await findQlmVersions(em, { versionUid: version });
    const { bound_lqm: bound, gate } = found!.profile;
    const suite = gate.suite_uid === null ? null : await em.findOne(QlmSuite, { uid: gate.suite_uid });
    return {
      found: found!,
      importer: suite?.importedByUid ?? null,
      isBound: bound === null || ((await boundState(em, bound))?.serves ?? false),
    };
  },
  decide({ found, importer, isBound }, _input, at): ApprovalVerdict {
    const { state, authorUid: author, evaluation, serving } = found;
    const passed = evaluation?.countsForGate ? evaluation.passed : null;
    const facts = { state, author, importer, passed, isBound, serving: serving?.state ?? null };
    return decideApproval(facts, personOf(at));
  },
  async write(em, { found }, _verdict, at) {
    const version = await em.findOneOrFail(QlmVersion, { uid: found.versionUid });
    em.assign(version, {
      evaluationUid: found.evaluation!.uid,
      approvedByUid: personOf(at),
      approvedAt: at.now,
    });
    await em.flush();
    em.create(QlmServing, {
      workspaceUid: version.workspaceUid,
      environment: version.environment,
      modelUid: found.modelUid,
      versionUid: found.versionUid,
      state: 'serving',
      reason: null,
      setByUid: personOf(at),
      since: at.now,
    });
    return { result: version };
  },
  entry: ({ found }) => ({
    op: 'qlm.approved',
    subject: { type: 'qlm_version', uid: found.versionUid },
    afterHash: found.contentHash,
    details: {
      version: found.version,
      model_uid: found.modelUid,
      version_uid: found.versionUid,
      evaluation_uid: found.evaluation?.uid ?? null,
    },
  }),
  refusals: {
    version_unknown: 'The version does not exist.',
    version_retired: 'The version is retired.',
    version_approved: 'The version is already approved and is the serving version.',
    version_superseded: 'A later version was approved. Write a new version instead.',
    model_suspended: 'The question model is suspended. Resume or retire it first.',
    version_not_evaluated: 'The version has no evaluation on the suite of its gate.',
    evaluation_failed: 'The evaluation of the version did not meet the limits of its gate.',
    approver_is_author: 'The author of a version cannot approve it.',
    approver_is_importer: 'The person who imported the suite of the gate cannot approve the version.',
    bound_model_unavailable: 'The bound checkpoint is not that of the serving version of the numeric model.',
  },
});
