import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import { findAnswer, listAnswers } from '#lib/qlms/asking/answer.query.ts';
import { pageOfVersions } from '#lib/qlms/registry/qlm.query.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { QlmAnswerResource, QlmAnswerSummary } from './answer.schema.ts';
import { presentAnswer, presentAnswerSummary } from './present-answer.ts';

export const listQuestionAnswers = defineOperation({
  key: 'qlms.answers.list',
  product: 'Model building (QLM)',
  method: 'GET',
  path: '/qlms/{uid}/answers',
  scope: 'qlm:read',
  addition: true,
  summary: 'Lists the sealed answers of a question model.',
  description: 'The answers in this environment, newest first. The list does not contain texts of questions.',
  query: Closed({ ...pageQuery }),
  success: { status: 200, description: 'A page of answers.', schema: ListOf(QlmAnswerSummary) },
  problems: ['not_found', 'invalid_cursor'],
  async handle({ services, params, query, fail }) {
    const isKnown =
      isUid(params.uid, prefixes.qlmModel) &&
      (await services.query(pageOfVersions, { model: params.uid, after: undefined, limit: 1 })).length > 0;
    if (!isKnown) return fail('not_found', 'There is no such question model.');
    const asked = { model: params.uid, application: null, now: services.clock.now() };
    return listReply(services, query, {
      list: `/qlms/${params.uid}/answers`,
      filters: {},
      rows: (em, page) => listAnswers(em, { ...asked, ...page }),
      present: presentAnswerSummary,
      hasLargeRows: true,
    });
  },
});

export const getQuestionAnswer = defineOperation({
  key: 'qlms.answers.get',
  product: 'Model building (QLM)',
  method: 'GET',
  path: '/qlms/{uid}/answers/{answer_uid}',
  scope: 'qlm:read',
  addition: true,
  summary: 'Returns a sealed answer.',
  description: 'Only the application that asked sees the text of the question, until it is deleted.',
  success: { status: 200, description: 'The answer.', schema: QlmAnswerResource },
  problems: ['not_found'],
  async handle({ services, caller, params, fail }) {
    const { uid: model, answer_uid: uid } = params;
    const isUids = isUid(model, prefixes.qlmModel) && isUid(uid, prefixes.qlmAnswer);
    const { application } = caller;
    const found = isUids
      ? await services.query(findAnswer, { model, uid, application, now: services.clock.now() })
      : undefined;
    if (!found) return fail('not_found', 'There is no such answer.');
    return { status: 200, body: presentAnswer(found) };
  },
});
