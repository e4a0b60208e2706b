import Type, { type Static } from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem, type Fault } from '#lib/core/problem.ts';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import { readNettingSet, type NettingSetTerms } from '#lib/investment/netting-set.ts';
import { NettingSet as NettingSetRecord } from '#lib/investment/netting-set.entity.ts';
import { recordNettingSet } from '#lib/investment/netting-set.repository.ts';
import { Counterparty } from '#lib/workspace/counterparty.entity.ts';
import { API_PREFIX } from '../derive/router.ts';
import { refusalOf, unknownCounterparty } from '../refusal.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { NettingSet, NettingSetBody, NettingSetCounterparty } from './netting-set.schema.ts';

const PATH = '/investment/collateral-xva/netting-sets';

export const createNettingSet = defineOperation({
  key: 'investment.collateral_xva.netting_sets.create',
  product: 'Investment analytics',
  method: 'POST',
  path: PATH,
  scope: 'investment:run',
  summary: 'Records the terms of a netting or collateral agreement, as they are supplied.',
  description:
    'Nothing is inferred, and nothing is said about enforceability. The same source again is the same record; another ' +
    'hash or other terms under the same source reference are refused and kept as a conflict.',
  body: NettingSetBody,
  success: { status: 201, description: 'The terms, recorded.', schema: NettingSet },
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
    const { services, caller, body, requestId, fail } = call;
    const now = services.clock.now();
    const { source_reference, source_hash, threshold_minor = null, ...rest } = body;
    const terms: NettingSetTerms = { ...rest, threshold_minor };
    const read = readNettingSet(terms, source_hash);
    return services.once(call, async (em) => {
      const known = await em.count(Counterparty, {
        id: body.counterparty_id,
        kind: 'counterparty',
        state: 'active',
      });
      const faults: Fault[] = read.ok ? [] : read.faults.map((fault) => ({ ...fault, in: 'body' as const }));
      if (!known) faults.unshift(unknownCounterparty);
      if (faults.length || !read.ok) throw refusalOf(faults);
      const { sourceHash, hashGrade } = read;
      const offer = { terms, sourceReference: source_reference, sourceHash, hashGrade };
      const recording = await recordNettingSet(em, { ...offer, application: caller.application, now });
      if (recording.outcome === 'name_in_use')
        fail('name_in_use', `Another agreement is named ${body.name}.`);
      const { outcome, nettingSet } = recording as Exclude<typeof recording, { outcome: 'name_in_use' }>;
      const event = {
        at: now,
        actor: { kind: 'application' as const, uid: caller.application, credential: caller.credential },
        subject: { type: 'netting_set', uid: nettingSet.uid, version: nettingSet.version },
        requestId,
      };
      if (recording.outcome === 'conflict') {
        const { uid, kind, differing } = recording.conflict;
        await appendAudit(em, { ...event, op: 'netting_set.conflict', refused: 'source_evidence_conflict' });
        return new Problem('source_evidence_conflict', 'Other terms are kept under this reference.', {
          members: {
            kind,
            differing,
            conflict_uid: uid,
            existing: { uid: nettingSet.uid, source_hash: nettingSet.sourceHash },
          },
        });
      }
      if (outcome === 'recorded') {
        await appendAudit(em, { ...event, op: 'netting_set.recorded', afterHash: nettingSet.termsHash });
      }
      return {
        status: 201,
        body: present(nettingSet),
        headers: {
          Location: `${API_PREFIX}${PATH}/${nettingSet.uid}`,
          ...(outcome === 'seen_again' ? { 'Idempotent-Replayed': 'true' } : {}),
        },
      };
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
  description: 'Recorded terms of the workspace in the environment of the credential.',
  query: Closed({ ...pageQuery, counterparty_id: Type.Optional(NettingSetCounterparty) }),
  success: { status: 200, description: 'A page of netting sets.', schema: ListOf(NettingSet) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { counterparty_id } = query;
    return listReply(services, query, {
      list: PATH,
      filters: { counterparty_id: counterparty_id ?? null },
      rows: (em, { after, most }) =>
        em.find(
          NettingSetRecord,
          {
            ...(after ? { uid: { $lt: after } } : {}),
            ...(counterparty_id ? { counterpartyId: counterparty_id } : {}),
          },
          { orderBy: { uid: 'desc' }, limit: most },
        ),
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
  summary: 'Reads a netting set.',
  description: 'The terms as they were supplied, with their source.',
  success: { status: 200, description: 'The netting set.', schema: NettingSet },
  problems: ['not_found'],
  async handle({ services, params, fail }) {
    const found = isUid(params.uid, prefixes.nettingSet)
      ? await services.transaction((em) => em.findOne(NettingSetRecord, { uid: params.uid }))
      : null;
    if (!found) fail('not_found', 'There is no such netting set.');
    return { status: 200, body: present(found!) };
  },
});

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
