import Type, { type Static } from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem, type ProblemCode } from '#lib/core/problem.ts';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import {
  derivedOf,
  majorNumber,
  obligationStates,
  obligationTypes,
  warningsOf,
  type OfferedObligation,
} from '#lib/actions/obligations/obligation.ts';
import type { Obligation as ObligationRecord } from '#lib/actions/obligations/obligation.entity.ts';
import {
  findObligation,
  listObligations as readObligations,
} from '#lib/actions/obligations/obligation.query.ts';
import { registerObligation } from '#lib/actions/obligations/register-obligation.command.ts';
import type { Denied } from '#lib/governance/command.ts';
import { API_PREFIX } from '../../derive/router.ts';
import { listReply } from '../../http/page.ts';
import { conflictProblem, offerProblem } from '../../refusal.ts';
import { defineOperation } from '../../services.ts';
import { tenantOf } from '../../tenant.ts';
import { CounterpartyId, Obligation, ObligationBody } from './obligation.schema.ts';

const PATH = '/actions/credit-corporate/obligations';

const faultCodes = [
  'unknown_counterparty',
  'invalid_currency',
  'invalid_source_hash',
  'invalid_amount',
  'amount_precision',
  'amount_range',
] as const satisfies readonly ProblemCode[];

export const createObligation = defineOperation({
  key: 'actions.credit_corporate.obligations.create',
  product: 'Financial Actions',
  method: 'POST',
  path: PATH,
  scope: 'actions:create',
  summary: 'Registers an obligation from its source.',
  description:
    'Registering grants no authority to act. Submitting the same source again returns the same record. A source with a different ' +
    'hash or different content under the same source reference is refused and stored as a conflict. The record is then disputed until a person resolves the conflict. A source whose record was withdrawn can never be registered again.',
  body: ObligationBody,
  success: { status: 201, description: 'The registered obligation.', schema: Obligation },
  problems: [...faultCodes, 'source_evidence_conflict', 'obligation_withdrawn'],
  async handle(call) {
    const { services, caller, body } = call;
    const offered: OfferedObligation = {
      ...body,
      original_amount: call.exact('/original_amount')!,
      outstanding_amount: call.exact('/outstanding_amount')!,
      available_amount: call.exact('/available_amount') ?? null,
      facility_reference: body.facility_reference ?? null,
      status: body.status ?? null,
      due_date: body.due_date ?? null,
    };
    const input = { ...tenantOf(caller), offered };
    return services.govern(call, registerObligation, input, {
      present({ result: { obligation, outcome, isReused }, at }) {
        const today = utcDate(at);
        return {
          status: 201,
          body: present(obligation, isReused, today),
          headers: {
            Location: `${API_PREFIX}${PATH}/${obligation.uid}`,
            ...(outcome === 'seen_again' ? { 'Idempotent-Replayed': 'true' } : {}),
          },
        };
      },
      refuse: problemOf,
    });
  },
});

export const listObligations = defineOperation({
  key: 'actions.credit_corporate.obligations.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'actions:read',
  addition: true,
  summary: 'Lists obligations, newest first.',
  description:
    'Returns the records of the workspace in the environment of the credential. Filters narrow the list.',
  query: Closed({
    ...pageQuery,
    counterparty_id: Type.Optional({
      ...CounterpartyId,
      description: 'Returns only obligations of this counterparty, by id.',
    }),
    governance_state: Type.Optional(
      Type.Enum([...obligationStates], { description: 'Returns only obligations in this state.' }),
    ),
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description: 'Returns only obligations in this currency.',
        examples: ['EUR'],
      }),
    ),
  }),
  success: { status: 200, description: 'A page of obligations.', schema: ListOf(Obligation) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { counterparty_id, governance_state, currency } = query;
    const today = utcDate(services.clock.now());
    return listReply(services, query, {
      list: PATH,
      filters: {
        counterparty_id: counterparty_id ?? null,
        governance_state: governance_state ?? null,
        currency: currency ?? null,
      },
      rows: (em, page) =>
        readObligations(em, {
          counterparty: counterparty_id,
          state: governance_state,
          currency,
          ...page,
        }),
      present: ({ record, isReused }) => present(record, isReused, today),
    });
  },
});

export const getObligation = defineOperation({
  key: 'actions.credit_corporate.obligations.get',
  product: 'Financial Actions',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'actions:read',
  addition: true,
  summary: 'Returns an obligation.',
  description: 'The response has the record, its evidence, and the values derived from it today.',
  success: { status: 200, description: 'The obligation.', schema: Obligation },
  problems: ['not_found'],
  async handle({ services, params, fail }) {
    const today = utcDate(services.clock.now());
    const { uid } = params;
    const found = isUid(uid, prefixes.obligation) ? await services.query(findObligation, uid) : undefined;
    if (!found) fail('not_found', 'The obligation does not exist.');
    return { status: 200, body: present(found!.record, found!.isReused, today) };
  },
});

function problemOf(refused: Denied<typeof registerObligation>): Problem {
  switch (refused.code) {
    case 'workspace_unknown':
      return new Problem('not_found', refused.detail);
    case 'invalid_obligation':
      return offerProblem(refused);
    case 'obligation_withdrawn': {
      const { uid, sourceHash: source_hash } = refused.kept;
      return new Problem(refused.code, refused.detail, { members: { existing: { uid, source_hash } } });
    }
    case 'source_evidence_conflict':
      return conflictProblem(refused.code, refused);
  }
}

function present(record: ObligationRecord, isReused: boolean, today: string): Static<typeof Obligation> {
  const { content, hashGrade } = record;
  const major = (minor: number) => majorNumber(minor, content.amount_scale);
  const { available_amount_minor: available } = content;
  return {
    uid: record.uid,
    version: record.version,
    governance_state: record.governanceState,
    execution_authority: { granted: false, reason: 'registration_only' },
    ...content,
    recognised: (obligationTypes as readonly string[]).includes(content.obligation_type),
    source_system: record.sourceSystem,
    source_reference: record.sourceReference,
    source_hash: record.sourceHash,
    original_amount: major(content.original_amount_minor),
    outstanding_amount: major(content.outstanding_amount_minor),
    available_amount: available === null ? null : major(available),
    evidence: {
      source_system: record.sourceSystem,
      source_reference: record.sourceReference,
      source_hash: record.sourceHash,
      hash_grade: hashGrade,
      first_seen_at: record.createdAt.toISOString(),
      last_seen_at: record.lastSeenAt.toISOString(),
      times_seen: record.timesSeen,
      conflicts_open: record.conflictsOpen,
    },
    derived: derivedOf(content, today),
    warnings: warningsOf(content, { hashGrade, hashIsReused: isReused, today }).map((code) => ({ code })),
    record_hash: record.recordHash,
    created_at: record.createdAt.toISOString(),
    created_by: { application_uid: record.createdByUid },
  };
}
