import Type from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, ListOf, pageQuery, Uid } from '#lib/core/schema.ts';
import { exceptionStates } from '#lib/actions/execution/exceptions/exception-decision.ts';
import { exceptionKindNames } from '#lib/actions/execution/exceptions/exception-kinds.ts';
import { findException, listExceptions } from '#lib/actions/execution/exceptions/exception.query.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { presentException } from './investment-execution/presenters.ts';
import { ExecutionException } from './investment-execution/settlement.schema.ts';

const PATH = '/actions/execution-exceptions';

export const listExecutionExceptions = defineOperation({
  key: 'actions.execution_exceptions.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'investment:read',
  addition: true,
  summary: 'Lists settlement exceptions, newest first.',
  description:
    'An exception is a problem with a settlement. Persons decide about exceptions with the operator CLI. A waiver needs two persons.',
  query: Closed({
    ...pageQuery,
    batch_uid: Type.Optional(Uid(prefixes.orderBatch, 'Returns only exceptions of this batch.')),
    state: Type.Optional(
      Type.Enum([...exceptionStates], { description: 'Returns only exceptions in this state.' }),
    ),
    kind: Type.Optional(
      Type.Enum([...exceptionKindNames], { description: 'Returns only exceptions of this kind.' }),
    ),
  }),
  success: { status: 200, description: 'A page of exceptions.', schema: ListOf(ExecutionException) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { batch_uid, state, kind } = query;
    const now = services.clock.now();
    return listReply(services, query, {
      list: PATH,
      filters: { batch_uid: batch_uid ?? null, state: state ?? null, kind: kind ?? null },
      rows: (em, page) => listExceptions(em, { batch: batch_uid, state, kind, ...page }),
      present: ({ record, calendar }) => presentException(record, calendar, now),
    });
  },
});

export const getExecutionException = defineOperation({
  key: 'actions.execution_exceptions.get',
  product: 'Financial Actions',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'investment:read',
  addition: true,
  summary: 'Returns a settlement exception.',
  description: 'The response has the exception, its age, and its usual causes.',
  success: { status: 200, description: 'The exception.', schema: ExecutionException },
  problems: ['not_found'],
  async handle({ services, params, fail }) {
    const now = services.clock.now();
    const { uid } = params;
    const found = isUid(uid, prefixes.executionException)
      ? await services.query(findException, uid)
      : undefined;
    if (!found) fail('not_found', 'The settlement exception does not exist.');
    return { status: 200, body: presentException(found!.record, found!.calendar, now) };
  },
});
