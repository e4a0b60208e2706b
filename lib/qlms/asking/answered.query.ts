import type { Em } from '#lib/database/base.ts';
import { withRecords, type Answer } from '../answer.ts';
import { refuse } from '../language/codes.ts';
import { answerByPlan, isPlannable, type Planner } from '../provider/plan.ts';
import { plannerRequest, providerOf, wordingRequest, type ProviderRequest } from '../provider/request.ts';
import { toldIn } from '../provider/told.query.ts';
import { usageOf, type ProviderUsage, type Told, type Turns } from '../provider/turns.ts';
import { wordedAnswer } from '../provider/wording.ts';
import { hasDrifted } from '../readers/bound-model.query.ts';
import { answerIn, type Asked } from './answer-in.ts';
import type { SealedAnswer } from './answer.schema.ts';
import { engineHash } from './engine.query.ts';
import { membersOf } from './members.ts';
import type { ServingVersion } from './serving-version.query.ts';
import { settingFor, type AskingSetting } from './setting.query.ts';

/** The explanations of the reasons why a question model does not answer. */
export const unanswered = {
  qlm_not_serving: 'The question model has no serving version.',
  qlm_suspended: 'The question model is suspended.',
  bound_model_unavailable: 'The bound checkpoint is not that of the serving version of the numeric model.',
  bound_model_drifted: 'The bound numeric model has drifted, and no person has reviewed the drift.',
} as const;

/**
 * The members of an answer, the request that a provider has to answer first, or the reason why the question model does
 * not answer.
 */
export type Answering =
  | { ok: true; members: SealedAnswer; usage: ProviderUsage | null }
  | { ok: false; code: 'provider_needed'; request: ProviderRequest }
  | { ok: false; code: keyof typeof unanswered };

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
  /** The requests to a provider that were made for the question. Absent: no provider is called. */
  turns?: Turns | undefined;
};

/** Answers a question by the serving version, from the facts to which the scopes of the caller give access. */
export async function answeredBy(
  em: Em,
  serving: ServingVersion,
  { asked, asOf, scopes, now, input, turns }: Given,
): Promise<Answering> {
  const fault = servingFault(serving);
  const { modelUid: uid, key, version, profile, contentHash } = serving;
  if (fault || !profile || contentHash === null) return { ok: false, code: fault ?? 'qlm_not_serving' };
  const setting = await settingFor(em, { profile, profileHash: contentHash, scopes, asOf, now });
  const { bound, state: read } = setting;
  if (profile.bound_lqm && !bound?.serves) return { ok: false, code: 'bound_model_unavailable' };
  if (bound && profile.drift_policy === 'refuse_all' && hasDrifted(await bound.drift()))
    return { ok: false, code: 'bound_model_drifted' };
  const known = asked.question === undefined ? setting : await withRecords(asked, setting);
  const worded = await providedAnswer(em, known, { asked, turns });
  if ('request' in worded) return { ok: false, code: 'provider_needed', request: worded.request };
  const members = membersOf(worded.given, {
    planner: worded.planner,
    wording: worded.wording,
    qlm: { uid, key, version: version!, content_hash: contentHash },
    input,
    bound_lqm: profile.bound_lqm,
    engine_hash: engineHash(),
    revisions: read.revisions,
    records: read.records,
    sources: read.sources,
    asOf,
  });
  return { ok: true, members, usage: worded.told.length === 0 ? null : usageOf(worded.told) };
}

type Wording = { kind: 'template' | 'provider'; fallback_code: string | null };
type Provided = { given: Answer; planner: Planner; wording: Wording; told: Told[] };
type Asking = { asked: Asked; turns: Turns | undefined };

/**
 * Answers a question with the provider of the profile, where it has one: for a query that the embedded engine does not
 * find, and for the wording. Returns the request that has to be made first, if one is missing. Without `turns`, no
 * provider is called.
 */
async function providedAnswer(
  em: Em,
  setting: AskingSetting,
  { asked, turns }: Asking,
): Promise<Provided | { request: ProviderRequest }> {
  const { profile, catalogue, clock } = setting;
  const provider = turns && providerOf(profile);
  const told: Told[] = [];
  let given = await answerIn(setting, asked);
  let planner: Planner = { kind: 'embedded', fallback_code: null };
  const { question } = asked;
  if (
    provider &&
    profile.planner.kind === 'provider' &&
    question !== undefined &&
    isPlannable(given, question)
  ) {
    const { request, masked } = plannerRequest(question, { catalogue, today: clock.today }, provider);
    if (!turns.qlm_planner) return { request };
    const plan = await toldIn(em, turns.qlm_planner, request);
    told.push(plan);
    if (plan.text === null) {
      planner = { kind: 'embedded', fallback_code: plan.code };
      if (profile.fallback === 'refuse') given = refuse('provider_unavailable');
    } else
      ({ given, planner } = await answerByPlan(plan.text, { question, masked, setting, embedded: given }));
  }
  let wording: Wording = { kind: 'template', fallback_code: null };
  if (provider && profile.wording === 'provider' && given.outcome === 'answered' && given.facts.length > 0) {
    const request = wordingRequest(given, provider);
    if (!turns.qlm_wording) return { request };
    const text = await toldIn(em, turns.qlm_wording, request);
    told.push(text);
    const worded = text.text === null ? undefined : wordedAnswer(text.text, given);
    if (worded) given = worded;
    wording = worded
      ? { kind: 'provider', fallback_code: null }
      : { kind: 'template', fallback_code: text.code ?? 'ungrounded_text' };
  }
  return { given, planner, wording, told };
}
