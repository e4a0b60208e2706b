import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash, seal, sha256, type Seal } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { applicationOf, defineCommand, type Circumstances } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import type { SemanticQuery } from '../language/query.ts';
import { QlmModel } from '../registry/qlm.entity.ts';
import { optionQuestion } from '../answer.ts';
import type { Asked } from './answer-in.ts';
import { forgetProviderCalls } from '../provider/provider-call.write.ts';
import type { ProviderUsage, Turns } from '../provider/turns.ts';
import { answeredBy, servingFault, unanswered, type Answering } from './answered.query.ts';
import { QlmAnswer, QlmQuestion } from './answer.entity.ts';
import { ANSWERS, type SealedAnswer } from './answer.schema.ts';
import { resultHashOf } from './members.ts';
import { earlierAnswer, type EarlierAnswer } from './conversation.query.ts';
import { servingVersion, type ServingVersion } from './serving-version.query.ts';

const DAY_MS = 86_400_000;
/** The number of options that can be chosen by their number. */
export const OPTIONS_MAX = 8;

export type AskInput = {
  model: string;
  question?: string | undefined;
  query?: SemanticQuery | undefined;
  answerTo?: string | undefined;
  option?: number | undefined;
  after?: string | undefined;
  /** The as-of day: only data known by its end is used. */
  asOf?: string | undefined;
  scopes: ReadonlySet<string>;
  /** The requests to a provider that were made for the question. */
  turns?: Turns | undefined;
};

/** An answer with its seal, as it is stored. */
export type StoredAnswer = {
  uid: string;
  members: SealedAnswer;
  resultHash: string;
  seal: Seal;
  question: string | null;
  /** The use of a provider; null if no provider was called. */
  usage: ProviderUsage | null;
};

type Verdict = Answering | { ok: false; code: 'qlm_unknown' | 'unknown_answer' | 'option_out_of_range' };

type Facts = { verdict: Verdict; serving: ServingVersion | undefined };

/**
 * Answers a question from the facts that the caller's scopes give access to, and seals the answer. The command writes
 * the answer and, if the profile keeps questions, the text of the question.
 */
export const answerQuestion = defineCommand<AskInput>()({
  find: (em, { model }) => placeOfRecord(em, QlmModel, model),
  unknown: 'qlm_unknown',
  lock: async () => undefined,
  async facts(em, _locked, input, at): Promise<Facts> {
    const serving = await servingVersion(em, input.model);
    return { serving, verdict: await verdictOf(em, serving, { input, at }) };
  },
  decide: ({ verdict }) => verdict,
  async write(em, { serving }, { members, usage }, { input, place, now, ...at }) {
    const answer = writeAnswer(em, {
      members,
      usage,
      input,
      place,
      now,
      application: applicationOf(at),
      serving: serving!,
    });
    await em.flush();
    const { question = null } = input;
    const keepDays = serving!.profile!.keep_question_days;
    if (question !== null && keepDays > 0)
      em.create(QlmQuestion, {
        answerUid: answer.uid,
        workspaceUid: place.workspace,
        environment: place.environment,
        applicationUid: applicationOf(at),
        question,
        keepUntil: new Date(now.getTime() + keepDays * DAY_MS),
      });
    const turns = Object.values(input.turns ?? {}).flatMap((turn) => ('uid' in turn ? [turn.uid] : []));
    await forgetProviderCalls(em, turns);
    const { uid, resultHash, seal: sealed } = answer;
    return { result: { uid, members, resultHash, seal: sealed, question, usage } satisfies StoredAnswer };
  },
  entry: (_facts, _verdict, _input, result) =>
    result && {
      op: 'run.sealed',
      subject: { type: 'qlm_answer', uid: result.uid },
      payloadHash: canonicalHash(result.members.input),
      afterHash: result.seal.hash,
      details: { kind: ANSWERS, result_hash: result.resultHash },
    },
  refusals: {
    qlm_unknown: 'There is no such question model.',
    provider_needed: 'The answer needs a call to a provider first.',
    ...unanswered,
    unknown_answer: 'The application got no such answer from this question model within the last 24 hours.',
    option_out_of_range: 'The answer is not a clarification with such an option.',
  },
});

type Given = { input: AskInput; at: Circumstances };

async function verdictOf(
  em: Em,
  serving: ServingVersion | undefined,
  { input, at }: Given,
): Promise<Verdict> {
  if (!serving) return { ok: false, code: 'qlm_unknown' };
  const closed = servingFault(serving);
  if (closed) return { ok: false, code: closed };
  const asked = await askedOf(em, { input, at });
  if ('code' in asked) return { ok: false, code: asked.code };
  const { asOf, scopes, turns = {} } = input;
  return answeredBy(em, serving, { asked, asOf, scopes, now: at.now, input: inputOf(input, at.now), turns });
}

type Fault = { code: 'unknown_answer' | 'option_out_of_range' };

/** Returns the question or query to answer, with the earlier questions of the conversation. */
async function askedOf(em: Em, { input, at }: Given): Promise<Asked | Fault> {
  const { model, question, query, answerTo, option, after } = input;
  const earlier = async (uid: string): Promise<EarlierAnswer | undefined> =>
    earlierAnswer(em, uid, { application: applicationOf(at), model, now: at.now });
  const before = after === undefined ? { questions: [] } : await earlier(after);
  if (!before) return { code: 'unknown_answer' };
  if (question !== undefined) return { question, before: before.questions };
  if (query !== undefined) return { query };
  const asked = await earlier(answerTo!);
  if (!asked) return { code: 'unknown_answer' };
  const chosen = asked.options?.[option! - 1];
  if (!chosen || option! > OPTIONS_MAX) return { code: 'option_out_of_range' };
  if (chosen.query) return { query: chosen.query as SemanticQuery };
  return { question: optionQuestion(chosen.label), before: asked.questions };
}

function inputOf(input: AskInput, now: Date): SealedAnswer['input'] {
  const { question, query, answerTo, option, after, asOf, scopes } = input;
  return {
    question_hash: question === undefined ? null : sha256(question),
    query: (query ?? null) as SealedAnswer['query'],
    answer_to: answerTo ?? null,
    option: option ?? null,
    after: after ?? null,
    as_of: asOf ?? null,
    asked_at: now.toISOString(),
    scopes_hash: canonicalHash([...scopes].sort()),
  };
}

type Writing = {
  members: SealedAnswer;
  usage: ProviderUsage | null;
  input: AskInput;
  place: Tenant;
  now: Date;
  application: string;
  serving: ServingVersion;
};

function writeAnswer(
  em: Em,
  { members, usage, input, place, now, application, serving }: Writing,
): QlmAnswer {
  return em.create(QlmAnswer, {
    uid: newUid(prefixes.qlmAnswer),
    workspaceUid: place.workspace,
    environment: place.environment,
    modelUid: serving.modelUid,
    versionUid: serving.versionUid!,
    applicationUid: application,
    outcome: members.outcome,
    askedAt: now,
    afterUid: input.answerTo ?? input.after ?? null,
    members,
    providerUsage: usage,
    resultHash: resultHashOf(members),
    seal: seal(members, now),
  });
}
