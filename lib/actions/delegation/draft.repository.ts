import { newUid } from '#lib/core/id.ts';
import { minorDigits } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { inForce, type Governed } from '#lib/governance/governed/governed-record.repository.ts';
import { Counterparty } from '#lib/workspace/counterparty.entity.ts';
import { actionKind, neverDelegable } from '../control/action.ts';
import { connectorKind } from '../control/connector.ts';
import { graphFor, pinnedNodes, type Graph } from '../control/graph.ts';
import { identityKind, identityLimits } from '../control/identity.ts';
import { beyond, type Limit } from '../control/limits.ts';
import { activePersons, membersOf } from '../control/role.ts';
import { Delegation } from './delegation.entity.ts';
import { personsOf, type Side } from './independence.ts';
import { reachability, withPresent } from './quorum.ts';
import { sideOf } from './side.repository.ts';
import { DRAFT_DAYS } from './states.ts';
import { termsFaults, termsHash, type DelegationTerms, type TermsFault } from './terms.ts';

/** So many delegations of an identity may wait or be in force at once. */
export const LIVE_MOST = 100;

export type Identity = Governed<typeof identityKind.schema>;

export type DraftFault =
  | TermsFault
  | {
      pointer: string;
      code:
        | 'unknown_action'
        | 'action_not_delegable'
        | 'unknown_counterparty'
        | 'unknown_connector'
        | 'connector_unsupported'
        | 'invalid_currency'
        | 'identity_ceiling_exceeded'
        | 'unknown_delegation';
      message: string;
    };

export type DraftRefusal =
  | 'identity_not_active'
  | 'approval_graph_missing'
  | 'approval_graph_unsatisfiable'
  | 'delegation_limit_reached'
  | 'equivalent_delegation_active';

export type DraftOutcome =
  | { ok: true; delegation: Delegation; identity: GovernedRecord }
  | { ok: false; faults: DraftFault[] }
  | { ok: false; code: DraftRefusal; existing?: string };

export type DraftRequest = {
  tenant: Tenant;
  identity: GovernedRecord;
  terms: Omit<DelegationTerms, 'identity_uid' | 'amount_scale'>;
  reason: string | null;
  replaces: string | null;
  application: string;
  now: Date;
};

/**
 * Drafts a delegation with the graph that will have to approve it, in the caller's transaction. Its terms are checked
 * against what the workspace has in force; a draft gives no power.
 */
export async function draftDelegation(em: Em, request: DraftRequest): Promise<DraftOutcome> {
  const { tenant, identity, application, now, replaces } = request;
  const digits = minorDigits(request.terms.currency);
  const terms = { identity_uid: identity.uid, amount_scale: digits ?? 0, ...request.terms };
  const replaced = replaces === null ? null : await em.findOne(Delegation, { uid: replaces });
  const faults: DraftFault[] = [
    ...termsFaults(terms, now),
    ...(await outdatedTerms(em, tenant, terms, identity.key)),
  ];
  if (replaces !== null && !isReplaceable(replaced, terms, now)) {
    const message = 'must be a delegation of this identity for the same thing and time zone, not ended';
    faults.push({ pointer: '/replaces', code: 'unknown_delegation', message });
  }
  if (faults.length) return { ok: false, faults };
  if (identity.state !== 'active') return { ok: false, code: 'identity_not_active' };
  const live = await em.find(Delegation, {
    identityUid: identity.uid,
    $or: [
      { state: 'draft', draftExpiresAt: { $gt: now } },
      { state: { $in: ['activated', 'suspended'] }, validUntil: { $gt: now } },
    ],
  });
  if (live.length >= LIVE_MOST) return { ok: false, code: 'delegation_limit_reached' };
  const equal = live.find((each) => each.state !== 'draft' && isEquivalent(each.terms, terms));
  if (equal && equal.uid !== replaces) {
    return { ok: false, code: 'equivalent_delegation_active', existing: equal.uid };
  }
  const graph = await graphFor(em, tenant, terms);
  if (!graph) return { ok: false, code: 'approval_graph_missing' };
  const side = { ...(await sideOf(em, tenant, application, now)), binders: [] };
  const creator: Side = { ...side, others: [ownerOf(identity)] };
  const nodes = pinnedNodes(graph.body);
  const present = withPresent(nodes, new Set(await activePersons(em, tenant)));
  if (!reachability(present, await membersOf(em, tenant, now), new Set(personsOf(creator))).ok) {
    return { ok: false, code: 'approval_graph_unsatisfiable' };
  }
  return { ok: true, identity, delegation: create(em, request, terms, graph, creator) };
}

function create(
  em: Em,
  request: DraftRequest,
  terms: DelegationTerms,
  graph: Graph,
  creator: Side,
): Delegation {
  const { tenant, identity, application, now, reason, replaces } = request;
  return em.create(Delegation, {
    uid: newUid(prefixes.delegation),
    workspaceUid: tenant.workspace,
    environment: tenant.environment,
    state: 'draft',
    identityUid: identity.uid,
    terms,
    termsHash: termsHash(terms),
    reason,
    graphUid: graph.uid,
    graphVersion: graph.version,
    graphHash: graph.bodyHash,
    nodes: pinnedNodes(graph.body),
    creator,
    creatorPersons: personsOf(creator),
    createdByUid: application,
    createdAt: now,
    draftExpiresAt: new Date(now.getTime() + DRAFT_DAYS * 86_400_000),
    validUntil: new Date(terms.valid_until),
    replacesUid: replaces,
    activatedAt: null,
    endedAt: null,
    stateReason: null,
  });
}

/** The person who answers for a machine identity. */
export function ownerOf(identity: Pick<GovernedRecord, 'body'>): string {
  return (identity as unknown as Identity).body.owner_uid;
}

/** What terms name that the workspace does not have in force, or that its identity may not be given. */
export async function outdatedTerms(
  em: Em,
  tenant: Tenant,
  terms: DelegationTerms,
  identityKey: string,
): Promise<DraftFault[]> {
  const faults: DraftFault[] = [];
  const add = (pointer: string, code: DraftFault['code'], message: string) =>
    faults.push({ pointer, code, message } as DraftFault);
  const [action] = await inForce(em, actionKind, tenant, terms.action);
  if (neverDelegable.test(terms.action)) {
    add('/action', 'action_not_delegable', 'must not change authority: that is never delegated');
  } else if (!action) add('/action', 'unknown_action', 'must be in the catalogue of actions');
  else if (!action.body.machine_delegable) {
    add('/action', 'action_not_delegable', 'must be one that machines may be given');
  }
  const counterparty = { id: terms.counterparty_id, workspaceUid: tenant.workspace };
  const known = await em.count(
    Counterparty,
    { ...counterparty, kind: 'counterparty', state: 'active' },
    { filters: false },
  );
  if (!known) {
    add(
      '/counterparty_id',
      'unknown_counterparty',
      'must be a counterparty of the workspace that is not archived',
    );
  }
  if (minorDigits(terms.currency) === undefined) {
    add('/currency', 'invalid_currency', 'must be a currency of ISO 4217 in force');
  }
  const [connector] = await inForce(em, connectorKind, tenant, terms.connector);
  if (!connector) add('/connector', 'unknown_connector', 'must be a connector in force');
  else {
    const { actions, currencies, execution_modes: modes } = connector.body;
    const fits = [
      [
        faults.some(({ pointer }) => pointer === '/action') || actions.includes(terms.action),
        '/action',
        'must be an action of the connector',
      ],
      [currencies.includes(terms.currency), '/currency', 'must be a currency of the connector'],
      [modes.includes(terms.execution_mode), '/execution_mode', 'must be a mode of the connector'],
    ] as const;
    for (const [isFit, pointer, message] of fits) if (!isFit) add(pointer, 'connector_unsupported', message);
  }
  const limit: Limit = { currency: terms.currency, ...terms.budgets };
  const ceiling = await identityLimits(em, tenant, identityKey);
  for (const { pointer } of beyond([limit], ceiling, '', '', '')) {
    const bound = pointer.replace(/^\/0\//, '');
    const at = bound === 'currency' ? '/currency' : `/budgets/${bound}`;
    add(at, 'identity_ceiling_exceeded', "must be within the identity's ceiling");
  }
  return faults;
}

/** Whether two delegations give the same power over the same thing. */
export function isEquivalent(a: DelegationTerms, b: DelegationTerms): boolean {
  return (['action', 'counterparty_id', 'connector', 'currency', 'execution_mode'] as const).every(
    (member) => a[member] === b[member],
  );
}

/** Whether terms can take the place of a delegation, and what was used of it the same days and months. */
export function isReplaceable(replaced: Delegation | null, terms: DelegationTerms, now: Date): boolean {
  return (
    replaced !== null &&
    replaced.identityUid === terms.identity_uid &&
    (replaced.state === 'activated' || replaced.state === 'suspended') &&
    replaced.validUntil > now &&
    isEquivalent(replaced.terms, terms) &&
    replaced.terms.time_zone === terms.time_zone
  );
}
