import Type from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Fault, ProblemCode } from '#lib/core/problem.ts';
import { Closed, ListOf, pageQuery, Uid } from '#lib/core/schema.ts';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import { identityKind } from '#lib/actions/control/identity.ts';
import { Delegation as DelegationRecord } from '#lib/actions/delegation/delegation.entity.ts';
import {
  draftDelegation,
  type DraftFault,
  type DraftRefusal,
} from '#lib/actions/delegation/draft.repository.ts';
import { delegationStates } from '#lib/actions/delegation/states.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { API_PREFIX } from '../../derive/router.ts';
import { listReply } from '../../http/page.ts';
import { refusalOf } from '../../refusal.ts';
import { defineOperation } from '../../services.ts';
import { tenantOf } from '../../tenant.ts';
import { CounterpartyId } from '../credit-corporate/obligation.schema.ts';
import { Currency, Delegation, DelegationBody } from './delegation.schema.ts';
import { presentDelegation } from './present-delegation.ts';

const PATH = '/actions/agentic/delegations';

const faultCodes = [
  'unknown_action',
  'action_not_delegable',
  'unknown_counterparty',
  'unknown_connector',
  'connector_unsupported',
  'invalid_currency',
  'mode_not_allowed_for_tier',
  'budget_order',
  'identity_ceiling_exceeded',
  'validity_window',
  'unknown_time_zone',
  'unknown_delegation',
] as const satisfies readonly (ProblemCode & (DraftFault['code'] | 'unknown_time_zone'))[];

const refusals: Record<DraftRefusal, string> = {
  identity_not_active: 'The machine identity is suspended or retired.',
  approval_graph_missing: 'No graph of approvals applies to these terms.',
  approval_graph_unsatisfiable: 'Too few persons who are independent of the draft could approve it.',
  delegation_limit_reached: 'The identity has 100 delegations that wait or are in force.',
  equivalent_delegation_active: 'A delegation of the same kind is in force; name it in `replaces`.',
};

export const createDelegation = defineOperation({
  key: 'actions.agentic.identities.delegations.create',
  product: 'Financial Actions',
  method: 'POST',
  path: '/actions/agentic/identities/{uid}/delegations',
  scope: 'actions:create',
  summary: 'Drafts a delegation to a machine identity.',
  description:
    'A draft gives no power: persons who are independent of it have to approve exactly these terms, which never ' +
    'change. It expires after 7 days.',
  body: DelegationBody,
  success: { status: 201, description: 'The draft.', schema: Delegation },
  problems: ['not_found', ...faultCodes, ...(Object.keys(refusals) as DraftRefusal[])],
  async handle(call) {
    const { services, caller, body, params, requestId, fail } = call;
    const now = services.clock.now();
    const {
      reason = null,
      replaces = null,
      time_zone = 'UTC',
      valid_from = null,
      valid_until,
      ...rest
    } = body;
    return services.once(call, async (em) => {
      const identity = isUid(params.uid, prefixes.machineIdentity)
        ? await em.findOne(GovernedRecord, { uid: params.uid, kind: identityKind.kind })
        : null;
      if (!identity) fail('not_found', 'There is no such machine identity.');
      if (!isTimeZone(time_zone)) throw refusalOf([unknownTimeZone]);
      const drafted = await draftDelegation(em, {
        tenant: tenantOf(caller),
        identity: identity!,
        terms: {
          ...rest,
          valid_from: valid_from && new Date(valid_from).toISOString(),
          valid_until: new Date(valid_until).toISOString(),
          time_zone,
        },
        reason,
        replaces,
        application: caller.application,
        now,
      });
      if (!drafted.ok && 'faults' in drafted) {
        throw refusalOf(drafted.faults.map((fault): Fault => ({ ...fault, in: 'body' })));
      }
      if (!drafted.ok) {
        const members = drafted.existing === undefined ? {} : { existing: { uid: drafted.existing } };
        fail(drafted.code, refusals[drafted.code], { members });
        throw new Error('not reached');
      }
      const { delegation } = drafted;
      await em.flush();
      await appendAudit(em, {
        at: now,
        op: 'delegation.drafted',
        actor: { kind: 'application', uid: caller.application, credential: caller.credential },
        subject: { type: 'delegation', uid: delegation.uid, version: 1 },
        requestId,
        afterHash: delegation.termsHash,
      });
      return {
        status: 201,
        body: await presentDelegation(em, delegation, now),
        headers: { Location: `${API_PREFIX}${PATH}/${delegation.uid}` },
      };
    });
  },
});

const unknownTimeZone: Fault = {
  pointer: '/time_zone',
  in: 'body',
  code: 'unknown_time_zone',
  message: 'must be an IANA name such as Europe/Berlin',
};

function isTimeZone(name: string): boolean {
  return name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name);
}

export const listDelegations = defineOperation({
  key: 'actions.agentic.delegations.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'actions:read',
  addition: true,
  summary: 'Lists delegations, newest first.',
  description: 'Delegations of the environment in every state, with who approved and what is used.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(Type.Enum([...delegationStates], { description: 'Only those in this state.' })),
    identity_uid: Type.Optional(Uid(prefixes.machineIdentity, 'Only those of this identity.')),
    counterparty_id: Type.Optional(CounterpartyId),
    currency: Type.Optional(Currency),
  }),
  success: { status: 200, description: 'A page of delegations.', schema: ListOf(Delegation) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const now = services.clock.now();
    const { state, identity_uid, counterparty_id, currency } = query;
    return listReply(services, query, {
      list: PATH,
      filters: {
        state: state ?? null,
        identity_uid: identity_uid ?? null,
        counterparty_id: counterparty_id ?? null,
        currency: currency ?? null,
      },
      rows: async (em, { after, most }) => {
        const terms = {
          ...(counterparty_id ? { counterparty_id } : {}),
          ...(currency ? { currency } : {}),
        };
        const found = await em.find(
          DelegationRecord,
          {
            ...(after ? { uid: { $lt: after } } : {}),
            ...(state ? { state } : {}),
            ...(identity_uid ? { identityUid: identity_uid } : {}),
            ...(Object.keys(terms).length ? { terms } : {}),
          },
          { orderBy: { uid: 'desc' }, limit: most },
        );
        const rows = [];
        for (const each of found) rows.push(await presentDelegation(em, each, now));
        return rows;
      },
      present: (row) => row,
    });
  },
});

export const getDelegation = defineOperation({
  key: 'actions.agentic.delegations.get',
  product: 'Financial Actions',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'actions:read',
  addition: true,
  summary: 'Reads a delegation.',
  description: 'Its terms, the approvals it has and still needs, and what is used of its budgets now.',
  success: { status: 200, description: 'The delegation.', schema: Delegation },
  problems: ['not_found'],
  async handle({ services, params, fail }) {
    const now = services.clock.now();
    const found = await services.transaction(async (em) => {
      const record = isUid(params.uid, prefixes.delegation)
        ? await em.findOne(DelegationRecord, { uid: params.uid })
        : null;
      return record && (await presentDelegation(em, record, now));
    });
    if (!found) fail('not_found', 'There is no such delegation.');
    return { status: 200, body: found! };
  },
});
