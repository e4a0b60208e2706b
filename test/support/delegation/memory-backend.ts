import type { CastVote } from '#lib/actions/delegations/approval.ts';
import type { ApplicationPersons } from '#lib/actions/delegations/independence.ts';
import type { DelegationEvent, DelegationState } from '#lib/actions/delegations/states.ts';
import type { DelegationTerms } from '#lib/actions/delegations/terms.ts';
import type { ReservationState, Window, WindowUse } from '#lib/actions/delegations/windows.ts';
import type { DelegationBackend, Draft, Refused } from './backend.ts';
import type { Rules } from './rules.ts';
import {
  applications,
  creator,
  FIRST_DAY,
  members,
  plainTerms,
  powersWithout,
  registeredObligation,
  rolesOf,
  personsOfApplication,
} from './world.ts';

type Delegation = Draft & {
  uid: string;
  state: DelegationState;
  terms: DelegationTerms;
  createdAt: Date;
  activatedAt: Date | null;
  votes: Omit<CastVote, 'support'>[];
  windows: Map<string, WindowUse>;
};
type Reservation = {
  delegation: Delegation;
  state: ReservationState;
  amount: bigint;
  at: Record<Window, string>;
  leaseUntil: number;
};

const refused = (code: string): Refused => ({ ok: false, code });

/**
 * Returns a backend that keeps delegations in memory and applies the given rules, one call after the other.
 */
export function memoryBackend(rules: Rules): DelegationBackend {
  let now = FIRST_DAY;
  const delegations = new Map<string, Delegation>();
  const reservations = new Map<string, Reservation>();
  const ended = new Set<string>();

  const change = (delegation: Delegation, event: DelegationEvent): boolean => {
    const next = rules.nextDelegationState(delegation.state, event);
    if (!next) return false;
    delegation.state = next;
    if (event === 'suspend') delegation.votes = [];
    return true;
  };

  const powers = () => powersWithout(ended, now);
  const support = ({ terms }: Delegation, { person }: Delegation['votes'][number]) =>
    rules.supportOf(powers(), terms, { personUid: person, authorityUid: `aut_${person}` });
  const stands = (delegation: Delegation) =>
    delegation.votes.every((each) => support(delegation, each) === 'holds');

  function vote(
    delegation: Delegation,
    person: string | null,
    approver: ApplicationPersons,
    awaited: 'draft' | 'suspended',
  ) {
    const { terms, nodes, createdAt } = delegation;
    const lapses = awaited === 'draft' ? createdAt.getTime() + rules.DRAFT_DAYS * 86_400_000 : Infinity;
    const over = Math.min(lapses, Date.parse(terms.valid_until));
    const excluded = new Set(rules.personsOf(creator));
    const verdict = rules.decideApproval({
      state: delegation.state,
      awaited,
      isDraftOver: over <= now.getTime(),
      riskTier: terms.risk_tier,
      isIdentityActive: true,
      outdated: [],
      graph: rules.reachability(nodes, members, excluded).ok ? 'active' : 'unsatisfiable',
      nodes,
      voter: person === null ? null : { uid: person, isActive: true, roles: rolesOf(person) },
      creator,
      approver,
      authorities:
        person === null
          ? []
          : rules.heldAuthorities(powers(), person, (body) => rules.uncovered(body, terms)),
      votes: delegation.votes.map((each) => ({
        ...each,
        support: support(delegation, each),
      })),
      intent: null,
    });
    const voided = new Set(verdict.voided.map(({ uid }) => uid));
    delegation.votes = delegation.votes.filter(({ uid }) => !voided.has(uid));
    if (!verdict.ok) {
      if (verdict.code === 'delegation_expired') change(delegation, 'expire');
      return refused(verdict.code);
    }
    delegation.votes.push({ uid: `${verdict.node}-${person}`, node: verdict.node, person: person! });
    if (verdict.isComplete && change(delegation, awaited === 'draft' ? 'activate' : 'resume')) {
      delegation.activatedAt ??= now;
    }
    return { ok: true as const, isActivated: delegation.state === 'activated' };
  }

  const useOf = ({ windows }: Delegation, key: string) => {
    const use = windows.get(key) ?? { reserved: 0n, settled: 0n };
    windows.set(key, use);
    return use;
  };
  const present = (delegation: Delegation) => {
    const { day, month } = rules.windowsAt(now, delegation.terms.time_zone);
    return { at: { day, month }, use: { day: useOf(delegation, day), month: useOf(delegation, month) } };
  };

  function end(uid: string, event: 'settle' | 'release', actual: bigint) {
    const reservation = reservations.get(uid)!;
    const next = rules.reservationTransitions[event][reservation.state];
    if (!next) return refused('reservation_ended');
    if (event === 'settle' && actual < 1n) return refused('amount_not_positive');
    if (actual > reservation.amount) {
      reservation.state = rules.reservationTransitions.stick[reservation.state] ?? reservation.state;
      return refused('settled_above_reservation');
    }
    reservation.state = next;
    for (const key of Object.values(reservation.at)) {
      const use = useOf(reservation.delegation, key);
      use.reserved -= reservation.amount;
      use.settled += actual;
    }
    return { ok: true as const };
  }

  const find = (uid: string) => delegations.get(uid)!;
  const changed = (uid: string, event: DelegationEvent) =>
    change(find(uid), event) ? { ok: true as const } : refused('transition_not_allowed');

  return {
    async create({ nodes, budgets }) {
      const terms = { ...plainTerms, budgets };
      const [fault] = rules.termsFaults(terms, now);
      if (fault) return refused(fault.code);
      const uid = `dlg_${delegations.size + 1}`;
      const fresh = { votes: [], windows: new Map<string, WindowUse>(), activatedAt: null };
      delegations.set(uid, { ...fresh, uid, nodes, budgets, terms, state: 'draft', createdAt: now });
      return { ok: true, uid };
    },
    approve: async (uid, application) =>
      vote(find(uid), applications[application]!.person, personsOfApplication(application), 'draft'),
    async resume(uid, person) {
      const nobody = { application: '', principals: [], issuers: [], others: [], binders: [] };
      return vote(find(uid), person, { ...nobody, bound: [person] }, 'suspended');
    },
    async reject(uid, person) {
      const { nodes, votes } = find(uid);
      const { open } = rules.progressOf(nodes, votes);
      if (!open || !rules.rightAt(open, person, rolesOf(person))) return refused('approver_not_eligible');
      return changed(uid, 'reject');
    },
    suspend: async (uid) => changed(uid, 'suspend'),
    revoke: async (uid) => changed(uid, 'revoke'),
    async endAuthority(person) {
      ended.add(person);
      for (const delegation of delegations.values()) {
        if (delegation.state === 'activated' && !stands(delegation)) change(delegation, 'suspend');
      }
    },
    async authorize(uid, amount) {
      const delegation = find(uid);
      const { state, terms, activatedAt } = delegation;
      const { at, use } = present(delegation);
      const facts = {
        state,
        terms,
        activatedAt,
        now,
        use,
        isIdentityActive: true,
        isSupported: stands(delegation),
        isCurrent: true,
        isFrozen: false,
        obligation: registeredObligation,
      };
      const refusal = rules.authorizeRefusal(facts, {
        ...terms,
        amount_minor: amount,
        obligation_uid: 'obl_1',
      });
      if (refusal) return refused(refusal.code);
      for (const window of ['day', 'month'] as const) use[window].reserved += BigInt(amount);
      const reservation = `rsv_${reservations.size + 1}`;
      const leaseUntil = now.getTime() + rules.LEASE_HOURS * 3_600_000;
      reservations.set(reservation, {
        delegation,
        state: 'reserved',
        amount: BigInt(amount),
        at,
        leaseUntil,
      });
      return { ok: true, reservation };
    },
    settle: async (uid, actual) => end(uid, 'settle', BigInt(actual)),
    release: async (uid) => end(uid, 'release', 0n),
    usage: async (uid) => structuredClone(present(find(uid)).use),
    async moveTo(instant) {
      now = instant;
      for (const reservation of reservations.values()) {
        if (reservation.leaseUntil > now.getTime()) continue;
        reservation.state = rules.reservationTransitions.stick[reservation.state] ?? reservation.state;
      }
    },
  };
}
