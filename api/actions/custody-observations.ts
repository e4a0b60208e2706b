import Type from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, ListOf, pageQuery, Uid } from '#lib/core/schema.ts';
import { findObservation, listObservations } from '#lib/actions/execution/evidence/custody.query.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { CustodyObservation } from './investment-execution/evidence.schema.ts';
import { presentObservation, presentReconciliation } from './investment-execution/presenters.ts';
import { Reconciliation } from './investment-execution/settlement.schema.ts';

const PATH = '/actions/custody-observations';

const Reconciled = Closed(
  { ...CustodyObservation.properties, reconciliation: Reconciliation },
  {
    title: 'ReconciledCustodyObservation',
    description: 'A custody observation, and the result of its reconciliation when it was recorded.',
  },
);

export const listCustodyObservations = defineOperation({
  key: 'actions.custody_observations.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'investment:read',
  addition: true,
  summary: 'Lists custody observations, newest first.',
  description: 'Returns the settlement evidence for order batches, as the custodians provided it.',
  query: Closed({
    ...pageQuery,
    batch_uid: Type.Optional(Uid(prefixes.orderBatch, 'Returns only observations of this batch.')),
  }),
  success: { status: 200, description: 'A page of observations.', schema: ListOf(CustodyObservation) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { batch_uid } = query;
    return listReply(services, query, {
      list: PATH,
      filters: { batch_uid: batch_uid ?? null },
      hasLargeRows: true,
      rows: (em, page) => listObservations(em, { batch: batch_uid, ...page }),
      present: presentObservation,
    });
  },
});

export const getCustodyObservation = defineOperation({
  key: 'actions.custody_observations.get',
  product: 'Financial Actions',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'investment:read',
  addition: true,
  summary: 'Returns a custody observation.',
  description: 'The response has the observation and the reconciliation result from the time of recording.',
  success: { status: 200, description: 'The observation.', schema: Reconciled },
  problems: ['not_found'],
  async handle({ services, params, fail }) {
    const { uid } = params;
    const found = isUid(uid, prefixes.custodyObservation) ? await services.query(findObservation, uid) : null;
    if (!found) fail('not_found', 'The custody observation does not exist.');
    return {
      status: 200,
      body: { ...presentObservation(found!), reconciliation: presentReconciliation(found!) },
    };
  },
});
