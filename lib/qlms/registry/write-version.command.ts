import { LockMode } from '@mikro-orm/core';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { profileOf, type LqmChoice, type ProfileVerdict } from './definition.query.ts';
import { QlmModel, QlmVersion } from './qlm.entity.ts';
import type { QlmProfile } from './profile.schema.ts';
import type { ChangeKind } from './states.ts';

type CreateInput = Tenant & { key: string; name: string; written: unknown; lqm: LqmChoice | null };

type CreateVerdict = ProfileVerdict | { ok: false; code: 'key_invalid' | 'key_taken' };

/** Creates a question model with its first version. */
export const createQlm = defineCommand<CreateInput>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, { key }, { workspace, environment }) =>
    acquireNamedLock(em, 'qlm_model', workspace, environment, key),
  facts: async (em, _locked, { key, written, lqm }) => ({
    isTaken: (await em.count(QlmModel, { key })) > 0,
    profile: await profileOf(em, written, lqm),
  }),
  decide({ isTaken, profile }, { key }): CreateVerdict {
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(key)) return { ok: false, code: 'key_invalid' };
    return isTaken ? { ok: false, code: 'key_taken' } : profile;
  },
  async write(em, _facts, { profile }, at) {
    const { key, name, workspace, environment } = at.input;
    const model = em.create(QlmModel, {
      uid: newUid(prefixes.qlmModel),
      workspaceUid: workspace,
      environment,
      key,
      name,
      createdByUid: personOf(at),
      createdAt: at.now,
    });
    await em.flush();
    const by = personOf(at);
    return { result: await addVersion(em, model, { profile, kind: 'create', by, now: at.now }) };
  },
  entry: (_facts, _verdict, _input, result) => result && entryOf(result),
  refusals: {
    ...unknownWorkspace,
    key_invalid: 'A key has only a-z, 0-9 and _, and begins with a letter.',
    key_taken: 'A question model with this key exists already. Revise it instead.',
  },
});

type ChangeInput = { model: string } & (
  | { written: unknown; lqm?: undefined }
  | { lqm: LqmChoice; written?: undefined }
);

/** Writes the next version of a question model: with another profile, or bound to another numeric model. */
export const changeQlm = defineCommand<ChangeInput>()({
  find: (em, { model }) => placeOfRecord(em, QlmModel, model),
  unknown: 'qlm_unknown',
  lock: (em, { model }) =>
    em.findOneOrFail(QlmModel, { uid: model }, { lockMode: LockMode.PESSIMISTIC_WRITE }),
  async facts(em, model, { written, lqm }) {
    const newest = await newestVersion(em, model.uid);
    const { bound_lqm: bound, gate, ...rest } = newest!.profile;
    // If only the bound model changes, the profile keeps all its other members.
    const { suite_uid, ...limits } = gate;
    const kept = { ...rest, gate: { ...limits, ...(suite_uid === null ? {} : { suite_uid }) } };
    return { model, profile: await profileOf(em, written ?? kept, lqm ?? bound) };
  },
  decide: ({ profile }): ProfileVerdict => profile,
  async write(em, { model }, { profile }, at) {
    const kind = at.input.lqm === undefined ? 'profile' : 'rebind';
    return { result: await addVersion(em, model, { profile, kind, by: personOf(at), now: at.now }) };
  },
  entry: (_facts, _verdict, _input, result) => result && entryOf(result),
  refusals: { qlm_unknown: 'There is no such question model.' },
});

async function newestVersion(em: Em, modelUid: string): Promise<QlmVersion | undefined> {
  return (await em.find(QlmVersion, { modelUid }, { orderBy: { version: 'desc' }, limit: 1 }))[0];
}

type Added = { profile: QlmProfile; kind: ChangeKind; by: string; now: Date };

async function addVersion(em: Em, model: QlmModel, { profile, kind, by, now }: Added): Promise<QlmVersion> {
  const newest = await newestVersion(em, model.uid);
  return em.create(QlmVersion, {
    uid: newUid(prefixes.qlmVersion),
    workspaceUid: model.workspaceUid,
    environment: model.environment,
    modelUid: model.uid,
    version: (newest?.version ?? 0) + 1,
    changeKind: kind,
    profile,
    contentHash: canonicalHash(profile),
    authorUid: by,
    createdAt: now,
    evaluationUid: null,
    approvedByUid: null,
    approvedAt: null,
    retiredByUid: null,
    retiredAt: null,
    retiredReason: null,
  });
}

function entryOf({ uid, modelUid, version, changeKind, contentHash }: QlmVersion) {
  return {
    op: changeKind === 'rebind' ? ('qlm.rebound' as const) : ('qlm.version_written' as const),
    subject: { type: 'qlm_version', uid },
    afterHash: contentHash,
    details: { version, change_kind: changeKind, model_uid: modelUid, version_uid: uid },
  };
}
