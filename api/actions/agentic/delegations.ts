import Type from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem, type ProblemCode } from '#lib/core/problem.ts';
import { Closed, ListOf, pageQuery, Uid } from '#lib/core/schema.ts';
import type { Denied } from '#lib/governance/command.ts';
import { draftDelegation } from '#lib/actions/delegations/draft-delegation.command.ts';
import { findDetails, listDetails, readDetails } from '#lib/actions/delegations/delegation.query.ts';
import type { DraftFault, DraftRefusal } from '#lib/actions/delegations/draft.ts';
import { delegationStates } from '#lib/actions/delegations/states.ts';
import { API_PREFIX } from '../../derive/router.ts';
import { listReply } from '../../http/page.ts';
import { refusalOf } from '../../refusal.ts';
import { defineOperation } from '../../services.ts';
import { CounterpartyId } from '../credit-corporate/obligation.schema.ts';
import { Currency, Delegation, DelegationBody } from './delegation.schema.ts';
import { presentDelegation } from './present-delegation.ts';

const PATH = '/actions/agentic/delegations';
const UNKNOWN_IDENTITY = 'The machine identity does not exist.';

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
] as const satisfies readonly (ProblemCode & DraftFault['code'])[];

const refusals = [
  'identity_not_active',
  'approval_graph_missing',
  'approval_graph_unsatisfiable',
  'delegation_limit_reached',
  'equivalent_delegation_active',
] as const satisfies readonly DraftRefusal[];

export const createDelegation = defineOperation({
  key: 'actions.agentic.identities.delegations.create',
  product: 'Financial Actions',
  method: 'POST',
  path: '/actions/agentic/identities/{uid}/delegations',
  scope: 'actions:create',
  summary: 'Drafts a delegation for a machine identity.',
  description:
    'A draft cannot be used. Persons who are independent of the draft must approve exactly these ' +
    'terms, which never change. The draft expires after 7 days.',
  body: DelegationBody,
  success: { status: 201, description: 'The draft.', schema: Delegation },
  problems: ['not_found', ...faultCodes, ...refusals],
  async handle(call) {
    const { services, body, params, fail } = call;
    if (!isUid(params.uid, prefixes.machineIdentity)) fail('not_found', UNKNOWN_IDENTITY);
    const {
      reason = null,
      replaces = null,
      time_zone = 'UTC',
      valid_from = null,
      valid_until,
      ...rest
    } = body;
    const terms = {
      ...rest,
      valid_from: valid_from && new Date(valid_from).toISOString(),
      valid_until: new Date(valid_until).toISOString(),
      time_zone,
    };
    const draft = { identity: params.uid, terms, reason, replaces };
    return services.govern(call, draftDelegation, draft, {
      async present({ result: delegation, at }, query) {
        return {
          status: 201,
          body: presentDelegation(await query(readDetails, delegation, at), at),
          headers: { Location: `${API_PREFIX}${PATH}/${delegation.uid}` },
        };
      },
      refuse: draftProblem,
    });
  },
});

function draftProblem(refused: Denied<typeof draftDelegation>): Problem {
  const { code, detail } = refused;
  if (code === 'identity_unknown') return new Problem('not_found', UNKNOWN_IDENTITY);
  if (code === 'invalid_terms') return refusalOf(refused.faults.map((fault) => ({ ...fault, in: 'body' })));
  const { existing } = refused;
  return new Problem(code, detail, {
    members: existing === undefined ? {} : { existing: { uid: existing } },
  });
}

export const listDelegations = defineOperation({
  key: 'actions.agentic.delegations.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'actions:read',
  addition: true,
  summary: 'Lists delegations, newest first.',
  description:
    'Returns the delegations of the environment in every state, with their approvals and the current usage of their budgets.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(
      Type.Enum([...delegationStates], { description: 'Returns only delegations in this state.' }),
    ),
    identity_uid: Type.Optional(Uid(prefixes.machineIdentity, 'Returns only delegations of this identity.')),
    counterparty_id: Type.Optional({
      ...CounterpartyId,
      description: 'Returns only delegations for this counterparty, by id.',
    }),
    currency: Type.Optional({
      ...Currency,
      description: 'Returns only delegations in this currency, ISO 4217.',
    }),
  }),
  success: { status: 200, description: 'A page of delegations.', schema: ListOf(Delegation) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const now = services.clock.now();
    const { state, identity_uid, counterparty_id, currency } = query;
    const filter = { state, identity: identity_uid, counterparty: counterparty_id, currency };
    return listReply(services, query, {
      list: PATH,
      filters: {
        state: state ?? null,
        identity_uid: identity_uid ?? null,
        counterparty_id: counterparty_id ?? null,
        currency: currency ?? null,
      },
      rows: (em, page) => listDetails(em, filter, page, now),
      present: (details) => presentDelegation(details, now),
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
  summary: 'Returns a delegation.',
  description:
    'The response has the terms, the approvals given and still missing, and the current usage of the budgets.',
  success: { status: 200, description: 'The delegation.', schema: Delegation },
  problems: ['not_found'],
  async handle({ services, params, fail }) {
    const now = services.clock.now();
    const found = isUid(params.uid, prefixes.delegation)
      ? await services.query(findDetails, params.uid, now)
      : null;
    if (!found) fail('not_found', 'The delegation does not exist.');
    return { status: 200, body: presentDelegation(found!, now) };
  },
});
