import type { Em } from '#lib/database/base.ts';
import { findConnection } from '#lib/ai/connection.write.ts';
import { findLqms } from '#lib/models/registry/lqm.query.ts';
import { readDirectory } from '../readers/directory.query.ts';
import { QlmSuite } from './qlm.entity.ts';
import { completeProfile, phraseOf, profileFault, vocabularyConflict, type KnownNames } from './profile.ts';
import type { BoundLqm, QlmProfile, WrittenProfile } from './profile.schema.ts';

/**
 * The numeric model to which a version is bound: the key and the version of the model. Default version: the newest
 * approved version.
 */
export type LqmChoice = { key: string; version?: number | undefined };

export type ProfileVerdict =
  | { ok: true; profile: QlmProfile }
  | {
      ok: false;
      code: 'profile_invalid' | 'vocabulary_conflict' | 'suite_unknown' | 'lqm_unknown';
      detail: string;
    };

/**
 * Returns the complete profile of a version, or the reason why the profile cannot be written: the form is not valid,
 * the suite or the numeric model is unknown, or the vocabulary conflicts with the names of the workspace.
 */
export async function profileOf(
  em: Em,
  written: unknown,
  lqm: LqmChoice | BoundLqm | null,
): Promise<ProfileVerdict> {
  const fault = profileFault(written);
  if (fault !== undefined)
    return { ok: false, code: 'profile_invalid', detail: `The profile is not valid: ${fault}.` };
  const profile = written as WrittenProfile;
  const unusable = await providerFault(em, profile);
  if (unusable !== undefined) return { ok: false, code: 'profile_invalid', detail: unusable };
  const suite = await suiteOf(em, profile.gate);
  if (suite === undefined)
    return { ok: false, code: 'suite_unknown', detail: 'The gate names a suite that does not exist.' };
  const bound = lqm === null || 'checkpoint_hash' in lqm ? lqm : await bindingOf(em, lqm);
  if (bound === undefined)
    return {
      ok: false,
      code: 'lqm_unknown',
      detail: 'The numeric model has no such approved version with a checkpoint.',
    };
  const conflict = vocabularyConflict(profile.vocabulary ?? {}, await knownNames(em));
  if (conflict !== undefined) return { ok: false, code: 'vocabulary_conflict', detail: conflict };
  return { ok: true, profile: completeProfile(profile, { bound, suite }) };
}

/**
 * Returns why the provider of a profile cannot be used. Returns undefined if it can be used, or if the profile neither
 * uses nor names a provider.
 */
async function providerFault(em: Em, { planner, wording }: WrittenProfile): Promise<string | undefined> {
  const isUsed = planner?.kind === 'provider' || wording === 'provider';
  if (!isUsed && planner?.connection_uid === undefined && planner?.model === undefined) return undefined;
  const { connection_uid: uid, model } = planner ?? {};
  if (uid === undefined || model === undefined)
    return 'A provider needs planner.connection_uid and planner.model.';
  const found = await findConnection(em, uid);
  if (found?.state !== 'active')
    return 'The AI connection does not exist in this environment, or is not active.';
  return found.models.includes(model) ? undefined : `The AI connection does not allow the model ${model}.`;
}

/** Returns the uid of the suite of a gate; null if the gate names no suite, undefined if the suite does not exist. */
async function suiteOf(em: Em, gate: WrittenProfile['gate']): Promise<string | null | undefined> {
  const { suite_uid: uid, suite: key } = gate ?? {};
  if (key === undefined && (uid === undefined || uid === null)) return null;
  const found = await em.find(QlmSuite, key === undefined ? { uid: uid! } : { key }, {
    orderBy: { uid: 'desc' },
    limit: 1,
  });
  return found[0]?.uid;
}

async function bindingOf(em: Em, { key, version }: LqmChoice): Promise<BoundLqm | undefined> {
  const found = await findLqms(em, { key, version });
  const chosen = found.find(({ state, checkpointHash }) => state === 'approved' && checkpointHash !== null);
  return (
    chosen && {
      model_uid: chosen.modelUid,
      version: chosen.version,
      checkpoint_hash: chosen.checkpointHash!,
    }
  );
}

async function knownNames(em: Em): Promise<KnownNames> {
  const { measures, entities } = await readDirectory(em, undefined);
  const all = [...entities.values()].flat();
  const sectors = all.flatMap(({ attributes }) => attributes['sector'] ?? []);
  return {
    measures: new Set([...measures.keys(), ...sectors.map((each) => `sector.${each}`)]),
    entities: new Set(all.map(({ attributes }) => phraseOf(attributes['name'] ?? ''))),
  };
}
