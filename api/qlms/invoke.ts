import Type, { type Static } from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { invalid, Problem, type Fault } from '#lib/core/problem.ts';
import { Closed, Day, Uid } from '#lib/core/schema.ts';
import { answerQuestion, OPTIONS_MAX } from '#lib/qlms/asking/answer-question.command.ts';
import { ProviderNeeded } from '#lib/qlms/provider/turns.ts';
import { queryFaults } from '#lib/qlms/language/query-faults.ts';
import { SemanticQuerySchema } from '#lib/qlms/language/query.schema.ts';
import type { SemanticQuery } from '#lib/qlms/language/query.ts';
import { API_PREFIX } from '../derive/router.ts';
import { defineOperation } from '../services.ts';
import { Question, QlmAnswerResource } from './answer.schema.ts';
import { presentAnswer } from './present-answer.ts';
import { withProvider } from './provider-turns.ts';

const Invocation = Closed(
  {
    question: Type.Optional(Question),
    query: Type.Optional(SemanticQuerySchema),
    answer_to: Type.Optional(Uid(prefixes.qlmAnswer, 'The clarification that the option belongs to.')),
    option: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: OPTIONS_MAX,
        description: 'The number of the chosen option.',
        examples: [1],
      }),
    ),
    after: Type.Optional(
      Uid(
        prefixes.qlmAnswer,
        'The earlier answer that the question follows up: an answer to this application from the last 24 hours.',
      ),
    ),
    as_of: Type.Optional(Day('Only facts known by the end of this day (UTC) are used. Not after today.')),
  },
  {
    title: 'QlmInvocation',
    description: 'Exactly one of: `question`; `query`; or `answer_to` together with `option`.',
    examples: [{ question: 'What was real GDP in Q4 2024?' }],
  },
);
type Invocation = Static<typeof Invocation>;

export const invokeQuestionModel = defineOperation({
  key: 'qlms.invoke',
  product: 'Model building (QLM)',
  method: 'POST',
  path: '/qlms/{uid}/invoke',
  scope: 'qlm:invoke',
  summary: 'Answers a question from stored facts, and seals the answer.',
  description:
    'The outcome is `answered`, `clarification` or `refused`; all three are sealed answers with the status 200. ' +
    'Each number in the text comes from a fact, and each fact has its source. A question about a domain that the scopes of the caller do not cover is refused with `not_entitled`. ' +
    'If the profile names a provider of language models, the request waits for each call for at most `QLM_PROVIDER_WAIT_S` seconds (20 by default), or for the seconds of `Prefer: wait=N` if they are fewer. It then goes on as the profile says in `fallback`. The provider sees no value and no name of a record. Apart from storing the answer, the call changes nothing.',
  body: Invocation,
  success: { status: 200, description: 'The sealed answer.', schema: QlmAnswerResource },
  problems: [
    'not_found',
    'qlm_not_serving',
    'qlm_suspended',
    'bound_model_unavailable',
    'bound_model_drifted',
    'unknown_answer',
    'option_out_of_range',
  ],
  async handle(call) {
    const { services, caller, params, body, prefer, fail } = call;
    if (!isUid(params.uid, prefixes.qlmModel)) fail('not_found', 'There is no such question model.');
    const faults = faultsOf(body, utcDate(services.clock.now()));
    if (faults.length > 0) throw invalid(faults);
    const { question, query, answer_to: answerTo, option, after, as_of: asOf } = body;
    const input = {
      model: params.uid,
      question,
      // The schema allows only the members of a semantic query.
      query: query as SemanticQuery | undefined,
      answerTo,
      option,
      after,
      asOf,
      scopes: caller.scopes,
    };
    return withProvider(services, prefer.waitMs, (turns) =>
      services.govern(
        call,
        answerQuestion,
        { ...input, turns },
        {
          present: ({ result }) => ({
            status: 200 as const,
            headers: { 'Content-Location': `${API_PREFIX}/qlms/${params.uid}/answers/${result.uid}` },
            body: presentAnswer(result),
          }),
          refuse(refused) {
            if (refused.code === 'provider_needed') throw new ProviderNeeded(refused.request);
            const { code, detail } = refused;
            return new Problem(code === 'qlm_unknown' ? 'not_found' : code, detail);
          },
        },
      ),
    );
  },
});

function faultsOf({ question, query, answer_to, option, as_of }: Invocation, today: string): Fault[] {
  const faults: Fault[] = [];
  const add = (pointer: string, code: string, message: string): void =>
    void faults.push({ pointer, in: 'body', code, message });
  const given = [question, query, answer_to].filter((each) => each !== undefined).length;
  if (given !== 1) add('', 'one_of', 'must have exactly one of question, query and answer_to');
  if ((answer_to === undefined) !== (option === undefined))
    add(
      option === undefined ? '/option' : '/answer_to',
      'required',
      'is required: option and answer_to go together',
    );
  if (question !== undefined && !question.isWellFormed())
    add('/question', 'well_formed', 'must not contain a lone surrogate');
  if (as_of !== undefined && as_of > today) add('/as_of', 'maximum', `must not be after ${today}`);
  for (const { pointer, message } of query ? queryFaults(query as SemanticQuery) : [])
    add(`/query${pointer}`, 'query', message);
  return faults;
}
