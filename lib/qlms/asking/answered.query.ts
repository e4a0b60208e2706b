import type { Em } from '#lib/database/base.ts';
import { answerIn, type Asked } from './answer-in.ts';
import type { SealedAnswer } from './answer.schema.ts';
import { membersOf } from './members.ts';
import type { ServingVersion } from './serving-version.query.ts';
import { settingFor } from './setting.query.ts';

/** The explanations of the reasons why a question model does not answer. */
export const unanswered = {
  qlm_not_serving: 'The question model has no serving version.',
  qlm_suspended: 'The question model is suspended.',
  bound_model_unavailable: 'The bound checkpoint is not that of the serving version of the numeric model.',
  bound_model_drifted: 'The bound numeric model has drifted, and no person has reviewed the drift.',
} as const;

/** The members of an answer, or the reason why the question model does not answer. */
export type Answering = { ok: true; members: SealedAnswer } | { ok: false; code: keyof typeof unanswered };

/** Returns why a question model does not answer; undefined if it has a serving version. */
export function servingFault({
  state,
  profile,
}: ServingVersion): 'qlm_suspended' | 'qlm_not_serving' | undefined {
  if (state === 'suspended' || state === 'resume_requested') return 'qlm_suspended';
  return state === 'serving' && profile ? undefined : 'qlm_not_serving';
}

type Given = {
  asked: Asked;
  /** The as-of day: only data known by its end is used. Undefined: everything that is known. */
  asOf: string | undefined;
  scopes: ReadonlySet<string>;
  now: Date;
  input: SealedAnswer['input'];
};

/** Answers a question by the serving version, from the facts to which the scopes of the caller give access. */
export async function answeredBy(
  em: Em,
  serving: ServingVersion,
  { asked, asOf, scopes, now, input }: Given,
): Promise<Answering> {
  const fault = servingFault(serving);
  const { modelUid: uid, key, version, profile, contentHash } = serving;
  if (fault || !profile || contentHash === null) return { ok: false, code: fault ?? 'qlm_not_serving' };
  const setting = await settingFor(em, { profile, profileHash: contentHash, scopes, asOf, now });
  const { bound, state: read } = setting;
  if (profile.bound_lqm && !bound?.serves) return { ok: false, code: 'bound_model_unavailable' };
  const isDrifted = bound?.drift.severity === 'material' && !bound.drift.isReviewed;
  if (isDrifted && profile.drift_policy === 'refuse_all') return { ok: false, code: 'bound_model_drifted' };
  const members = membersOf(await answerIn(setting, asked), {
    qlm: { uid, key, version: version!, content_hash: contentHash },
    input,
    bound_lqm: profile.bound_lqm,
    revisions: read.revisions,
    records: read.records,
    sources: read.sources,
    asOf,
  });
  return { ok: true, members };
}
