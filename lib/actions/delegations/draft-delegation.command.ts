import { newUid } from '#lib/core/id.ts';
import { minorDigits } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { applicationOf, defineCommand, type RefusalCode, placeOf } from '#lib/governance/command.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { findRecord } from '#lib/governance/governed/governed-record.query.ts';
import type { Governed } from '#lib/governance/governed/governed-record.write.ts';
import { graphFor, pinnedNodes, type Graph } from '../authority/graph.ts';
import { identityKind } from '../authority/identity.ts';
import { activePersons, membersOf } from '../authority/role.ts';
import { Delegation } from './delegation.entity.ts';
import {
  areRefusedAnyway,
  decideDraft,
  draftFaults,
  LIVE_MAX,
  timeZoneFault,
  type DraftFacts,
  type DraftFault,
  type DraftVerdict,
} from './draft.ts';
import { personsOf, type ApplicationPersons } from './independence.ts';
import { outdatedTerms } from './outdated-terms.query.ts';
import { reachability, withPresent } from './quorum.ts';
import { readApplicationPersons } from './application-persons.query.ts';
import { DRAFT_DAYS } from './states.ts';
import { termsHash, type DelegationTerms } from './terms.ts';

export type DelegationDraft = {
  /** The machine identity that receives the delegation. */
  identity: string;
  terms: Omit<DelegationTerms, 'identity_uid' | 'amount_scale'>;
  reason: string | null;
  /** The delegation that the new delegation replaces on its activation; null if no delegation is replaced. */
  replaces: string | null;
};

type Sound = { rule: DraftFacts; creator: ApplicationPersons; graph: Graph | undefined };

/**
 * The facts of the decision; undefined if the identity does not exist in the workspace and environment. If the terms
 * are not valid, contains only the faults.
 */
type Facts = Sound | { faults: DraftFault[] } | undefined;

type Verdict =
  | DraftVerdict
  | { ok: false; code: 'invalid_terms'; faults: DraftFault[] }
  | { ok: false; code: 'identity_unknown' };

/**
 * Drafts a delegation together with the graph that must approve it. The terms are checked against the active
 * records of the workspace. A draft cannot be used.
 */
export const draftDelegation = defineCommand<DelegationDraft>()({
  async find(em, { identity }) {
    return placeOf(await findRecord(em, identityKind, identity));
  },
  unknown: 'identity_unknown',
  async lock(em, { terms }, { workspace }) {
    if (!areRefusedAnyway(terms)) await lockControl(em, workspace, 'share');
  },
  async facts(em, _locked, draft, at): Promise<Facts> {
    const { place: tenant, now } = at;
    const identity = await em.findOne(GovernedRecord, { uid: draft.identity, kind: identityKind.kind });
    if (!identity) return undefined;
    const zoneFault = timeZoneFault(draft.terms);
    if (zoneFault) return { faults: [zoneFault] };
    const { replaces } = draft;
    const digits = minorDigits(draft.terms.currency);
    const terms = { identity_uid: identity.uid, amount_scale: digits ?? 0, ...draft.terms };
    const outdated = await outdatedTerms(em, tenant, terms, identity.key);
    const replaced = replaces === null ? null : await em.findOne(Delegation, { uid: replaces });
    const faults = draftFaults({ terms, now, outdated, replaces, replaced });
    if (faults.length > 0) return { faults };
    const graph = await graphFor(em, tenant, terms);
    const side = { ...(await readApplicationPersons(em, tenant, applicationOf(at), now)), binders: [] };
    const creator: ApplicationPersons = { ...side, others: [ownerOf(identity)] };
    const isReachable = async ({ body }: Graph) => {
      const nodes = pinnedNodes(body);
      const present = withPresent(nodes, new Set(await activePersons(em, tenant)));
      return reachability(present, await membersOf(em, tenant, now), new Set(personsOf(creator))).ok;
    };
    const rule: DraftFacts = {
      terms,
      replaces,
      isIdentityActive: identity.state === 'active',
      live: await liveOf(em, identity.uid, now),
      graph: !graph ? 'missing' : (await isReachable(graph)) ? 'satisfiable' : 'unsatisfiable',
    };
    return { rule, creator, graph };
  },
  decide(facts): Verdict {
    if (!facts) return { ok: false, code: 'identity_unknown' };
    return 'faults' in facts
      ? { ok: false, code: 'invalid_terms', faults: facts.faults }
      : decideDraft(facts.rule);
  },
  async write(em, facts, _verdict, { place, input, now, actor }) {
    const { rule, creator, graph } = facts as Sound;
    const { terms, replaces } = rule;
    const delegation = em.create(Delegation, {
      uid: newUid(prefixes.delegation),
      workspaceUid: place.workspace,
      environment: place.environment,
      state: 'draft',
      identityUid: input.identity,
      terms,
      termsHash: termsHash(terms),
      reason: input.reason,
      graphUid: graph!.uid,
      graphVersion: graph!.version,
      graphHash: graph!.bodyHash,
      nodes: pinnedNodes(graph!.body),
      creator,
      creatorPersons: personsOf(creator),
      createdByUid: applicationOf({ actor }),
      createdAt: now,
      draftExpiresAt: new Date(now.getTime() + DRAFT_DAYS * 86_400_000),
      validUntil: new Date(terms.valid_until),
      replacesUid: replaces,
      activatedAt: null,
      endedAt: null,
      stateReason: null,
    });
    return { result: delegation };
  },
  entry: (_facts, _verdict, _draft, delegation?: Delegation) =>
    delegation && {
      op: 'delegation.drafted',
      subject: { type: 'delegation', uid: delegation.uid, version: 1 },
      afterHash: delegation.termsHash,
    },
  refusals: {
    identity_unknown: 'The machine identity does not exist.',
    invalid_terms: 'The terms of the delegation are not valid.',
    identity_not_active: 'The machine identity is suspended or retired.',
    approval_graph_missing: 'No approval graph applies to these terms.',
    approval_graph_unsatisfiable:
      'Too few persons can approve the delegation. A person who took part in drafting it cannot approve it.',
    delegation_limit_reached: `The identity has ${LIVE_MAX} delegations that wait for approval or are active. That is the limit.`,
    equivalent_delegation_active:
      'A delegation with the same action, counterparty, connector, currency and execution mode is active or suspended. Name this delegation in `replaces`.',
  } satisfies Record<RefusalCode<Verdict>, string>,
});

/** Returns the person who is responsible for a machine identity. */
function ownerOf(identity: Pick<GovernedRecord, 'body'>): string {
  return (identity as unknown as Governed<typeof identityKind.schema>).body.owner_uid;
}

/** Returns those delegations of an identity that wait for approval or are active. */
function liveOf(em: Em, identityUid: string, now: Date): Promise<Delegation[]> {
  return em.find(Delegation, {
    identityUid,
    $or: [
      { state: 'draft', draftExpiresAt: { $gt: now } },
      { state: { $in: ['activated', 'suspended'] }, validUntil: { $gt: now } },
    ],
  });
}
