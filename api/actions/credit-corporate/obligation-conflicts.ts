import Type, { type Static } from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, ListOf, pageQuery, Uid } from '#lib/core/schema.ts';
import type { EvidenceConflict as ConflictRecord } from '#lib/governance/evidence-conflict.entity.ts';
import { findConflict, listConflicts } from '#lib/governance/evidence-conflict.query.ts';
import { conflictStates } from '#lib/governance/evidence-conflict.ts';
import { listReply } from '../../http/page.ts';
import { defineOperation } from '../../services.ts';
import { ObligationConflict } from './obligation.schema.ts';

const PATH = '/actions/credit-corporate/obligation-conflicts';

export const listObligationConflicts = defineOperation({
  key: 'actions.credit_corporate.obligation_conflicts.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'actions:read',
  addition: true,
  summary: 'Lists the evidence that contradicts obligations, newest first.',
  description:
    'Returns contradicting evidence that was refused and stored. A person resolves each conflict with the operator CLI.',
  query: Closed({
    ...pageQuery,
    obligation_uid: Type.Optional(Uid(prefixes.obligation, 'Returns only conflicts of this obligation.')),
    state: Type.Optional(
      Type.Enum([...conflictStates], { description: 'Returns only conflicts in this state.' }),
    ),
  }),
  success: { status: 200, description: 'A page of conflicts.', schema: ListOf(ObligationConflict) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { obligation_uid, state } = query;
    return listReply(services, query, {
      list: PATH,
      filters: { obligation_uid: obligation_uid ?? null, state: state ?? null },
      rows: (em, page) =>
        listConflicts(em, { subject: 'obligation', subjectUid: obligation_uid, state, ...page }),
      present,
    });
  },
});

export const getObligationConflict = defineOperation({
  key: 'actions.credit_corporate.obligation_conflicts.get',
  product: 'Financial Actions',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'actions:read',
  addition: true,
  summary: 'Returns the evidence that contradicts an obligation.',
  description:
    'The response has the fields that differ, the application that submitted the evidence, and the state of the conflict.',
  success: { status: 200, description: 'The conflict.', schema: ObligationConflict },
  problems: ['not_found'],
  async handle({ services, params, fail }) {
    const { uid } = params;
    const found = isUid(uid, prefixes.evidenceConflict)
      ? await services.query(findConflict, 'obligation', uid)
      : null;
    if (!found) fail('not_found', 'The conflict does not exist.');
    return { status: 200, body: present(found!) };
  },
});

function present(record: ConflictRecord): Static<typeof ObligationConflict> {
  return {
    uid: record.uid,
    obligation_uid: record.subjectUid,
    kind: record.kind,
    offered_source_hash: record.offeredSourceHash,
    offered_payload_hash: record.offeredPayloadHash,
    differing: record.differing,
    offered_at: record.offeredAt.toISOString(),
    offered_by: { application_uid: record.offeredByUid },
    times_offered: record.timesOffered,
    state: record.state,
    resolved_at: record.resolvedAt?.toISOString() ?? null,
  };
}
