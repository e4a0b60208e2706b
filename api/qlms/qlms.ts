import Type from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { findWithMeasures, listWithBindings, presentDetail, presentQlm } from './present-qlm.ts';
import { QlmDetail, QlmKey, QlmSummary, Status } from './qlm.schema.ts';

export const listQuestionModels = defineOperation({
  key: 'qlms.list',
  product: 'Model building (QLM)',
  method: 'GET',
  path: '/qlms',
  scope: 'qlm:read',
  summary: 'Lists the question models of the workspace.',
  description:
    'Question models of this workspace and environment, newest first. Each is described by its serving version, or ' +
    'else by its newest version.',
  query: Closed({ ...pageQuery, status: Type.Optional(Status), qlm_key: Type.Optional(QlmKey) }),
  success: { status: 200, description: 'A page of question models.', schema: ListOf(QlmSummary) },
  problems: ['invalid_cursor'],
  handle: ({ services, query }) =>
    listReply(services, query, {
      list: '/qlms',
      filters: { status: query.status ?? null, qlm_key: query.qlm_key ?? null },
      rows: (em, page) => listWithBindings(em, { ...page, status: query.status, key: query.qlm_key }),
      present: presentQlm,
      position: ({ newest }) => newest.modelUid,
    }),
});

export const getQuestionModel = defineOperation({
  key: 'qlms.get',
  product: 'Model building (QLM)',
  method: 'GET',
  path: '/qlms/{uid}',
  scope: 'qlm:read',
  summary: 'Returns a question model with its domains, limits and gate.',
  description:
    'States for each domain whether the scopes of the caller cover it. Questions about a domain that is not covered are refused with `not_entitled`, whether or not data exists.',
  success: { status: 200, description: 'The question model.', schema: QlmDetail },
  problems: ['not_found'],
  async handle({ services, caller, params, fail }) {
    const found = isUid(params.uid, prefixes.qlmModel)
      ? await services.query(findWithMeasures, params.uid, caller.scopes)
      : undefined;
    if (!found) return fail('not_found', 'There is no such question model.');
    return { status: 200, body: presentDetail(found, caller.scopes) };
  },
});
