import Type, { type Static } from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem } from '#lib/core/problem.ts';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import type { Denied } from '#lib/governance/command.ts';
import type { NettingSet as NettingSetRecord } from '#lib/investment/netting/netting-set.entity.ts';
import {
  findNettingSet,
  listNettingSets as readNettingSets,
} from '#lib/investment/netting/netting-set.query.ts';
import { recordNettingSet } from '#lib/investment/netting/record-netting-set.command.ts';
import { API_PREFIX } from '../derive/router.ts';
import { conflictProblem, offerProblem } from '../refusal.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { tenantOf } from '../tenant.ts';
import { NettingSet, NettingSetBody, NettingSetCounterparty } from './netting-set.schema.ts';

const PATH = '/investment/collateral-xva/netting-sets';

export const createNettingSet = defineOperation({
  key: 'investment.collateral_xva.netting_sets.create',
  product: 'Investment analytics',
  method: 'POST',
  path: PATH,
  scope: 'investment:run',
  summary: 'Records the terms of a netting or collateral agreement as supplied.',
  description:
    'Nothing is inferred, and the record never states whether netting is enforceable. Sending the same source again returns the same record. ' +
    'A different hash or different terms under the same source reference are refused and stored as a conflict.',
  body: NettingSetBody,
  success: { status: 201, description: 'The recorded terms.', schema: NettingSet },
  problems: [
    'unknown_counterparty',
    'unknown_agreement_type',
    'invalid_currency',
    'amount_scale_mismatch',
    'terms_inconsistent',
    'invalid_source_hash',
    'name_in_use',
    'source_evidence_conflict',
  ],
  async handle(call) {
    const { services, caller, body } = call;
    const {
      source_reference: sourceReference,
      source_hash: sourceHash,
      threshold_minor = null,
      ...rest
    } = body;
    const input = { ...tenantOf(caller), terms: { ...rest, threshold_minor }, sourceReference, sourceHash };
    return services.govern(call, recordNettingSet, input, {
      present: ({ outcome, result: { nettingSet } }) => ({
        status: 201,
        body: present(nettingSet),
        headers: {
          Location: `${API_PREFIX}${PATH}/${nettingSet.uid}`,
          ...(outcome === 'seen_again' ? { 'Idempotent-Replayed': 'true' } : {}),
        },
      }),
      refuse: (refused) => problemOf(refused, body.name),
    });
  },
});

export const listNettingSets = defineOperation({
  key: 'investment.collateral_xva.netting_sets.list',
  product: 'Investment analytics',
  method: 'GET',
  path: PATH,
  scope: 'investment:read',
  addition: true,
  summary: 'Lists netting sets, newest first.',
  description: 'Returns the recorded terms of the workspace in the environment of the credential.',
  query: Closed({
    ...pageQuery,
    counterparty_id: Type.Optional({
      ...NettingSetCounterparty,
      description: 'Returns only netting sets with this counterparty, by id.',
    }),
  }),
  success: { status: 200, description: 'A page of netting sets.', schema: ListOf(NettingSet) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { counterparty_id } = query;
    return listReply(services, query, {
      list: PATH,
      filters: { counterparty_id: counterparty_id ?? null },
      rows: (em, page) => readNettingSets(em, { counterparty: counterparty_id, ...page }),
      present,
    });
  },
});

export const getNettingSet = defineOperation({
  key: 'investment.collateral_xva.netting_sets.get',
  product: 'Investment analytics',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'investment:read',
  addition: true,
  summary: 'Returns a netting set.',
  description: 'Returns the terms as supplied, with their source.',
  success: { status: 200, description: 'The netting set.', schema: NettingSet },
  problems: ['not_found'],
  async handle({ services, params, fail }) {
    const { uid } = params;
    const found = isUid(uid, prefixes.nettingSet) ? await services.query(findNettingSet, uid) : null;
    if (!found) fail('not_found', 'This netting set does not exist.');
    return { status: 200, body: present(found!) };
  },
});

function problemOf(refused: Denied<typeof recordNettingSet>, name: string): Problem {
  switch (refused.code) {
    case 'workspace_unknown':
      return new Problem('not_found', refused.detail);
    case 'invalid_terms':
      return offerProblem(refused);
    case 'name_in_use':
      return new Problem(refused.code, `Another agreement already has the name ${name}.`);
    case 'source_evidence_conflict':
      return conflictProblem(refused.code, refused);
  }
}

function present(record: NettingSetRecord): Static<typeof NettingSet> {
  return {
    uid: record.uid,
    version: record.version,
    ...record.terms,
    source_reference: record.sourceReference,
    source_hash: record.sourceHash,
    terms: {
      sign_convention: 'independent_amount_positive_posted_by_counterparty',
      enforceability: 'not_assessed',
      inferred: [],
    },
    terms_hash: record.termsHash,
    evidence: {
      source_reference: record.sourceReference,
      source_hash: record.sourceHash,
      hash_grade: record.hashGrade,
      first_seen_at: record.createdAt.toISOString(),
      last_seen_at: record.lastSeenAt.toISOString(),
      times_seen: record.timesSeen,
      conflicts_open: record.conflictsOpen,
    },
    supersedes: record.supersedesUid ?? null,
    superseded_at: record.supersededAt?.toISOString() ?? null,
    created_at: record.createdAt.toISOString(),
    created_by: { application_uid: record.createdByUid },
  };
}
