import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem } from '#lib/core/problem.ts';
import { Closed, Day, Uid } from '#lib/core/schema.ts';
import { SealedAnswer } from '#lib/qlms/asking/answer.schema.ts';
import { unanswered } from '#lib/qlms/asking/answered.query.ts';
import { askOnce } from '#lib/qlms/asking/ask-once.query.ts';
import { statedBy } from '#lib/qlms/asking/members.ts';
import { defineTool } from '../services.ts';
import { Question } from './answer.schema.ts';

const {
  qlm,
  outcome,
  text,
  slots,
  mentions,
  names,
  query,
  facts,
  assumptions,
  flags,
  clarification,
  refusal,
} = SealedAnswer.properties;

const ToolAnswer = Closed(
  {
    qlm,
    sealed: Type.Literal(false, { description: 'The answer is not stored and has no seal.' }),
    outcome,
    text,
    slots,
    mentions,
    names,
    query,
    facts,
    assumptions,
    flags,
    clarification,
    refusal,
  },
  { title: 'QlmToolAnswer', description: 'An answer that is not stored.' },
);

export const askQlm = defineTool({
  name: 'ask_qlm',
  summary: 'Answers a question in English from stored facts, without sealing the answer.',
  description:
    'The outcome is `answered`, `clarification` or `refused`. Each number in the text is the `display` of a fact with ' +
    'its source. A question about a domain that the scopes of the caller do not cover is refused with ' +
    '`not_entitled`. To seal an answer, use `POST /qlms/{uid}/invoke`.',
  scope: 'qlm:invoke',
  input: Closed({
    uid: Uid(prefixes.qlmModel, 'The question model.'),
    question: Question,
    as_of: Type.Optional(Day('The as-of day: only data known by its end (UTC) is used. Not after today.')),
  }),
  output: ToolAnswer,
  async call({ uid: model, question, as_of: asOf }, { caller, services }) {
    const now = services.clock.now();
    if (asOf !== undefined && asOf > utcDate(now))
      throw new Problem('validation_failed', `as_of must not be after ${utcDate(now)}.`);
    const asked = { model, question, asOf, scopes: caller.scopes, now };
    const given = isUid(model, prefixes.qlmModel) ? await services.query(askOnce, asked) : undefined;
    if (!given) throw new Problem('not_found', 'There is no such question model.');
    if (!given.ok) throw new Problem(given.code, unanswered[given.code]);
    const { members } = given;
    return { qlm: members.qlm, sealed: false as const, ...statedBy(members) };
  },
});
