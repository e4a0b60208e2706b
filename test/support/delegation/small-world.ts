import type { ApprovalFacts } from '#lib/actions/delegations/approval.ts';
import type { DelegationEvent, DelegationState } from '#lib/actions/delegations/states.ts';
import type { Window, WindowUse } from '#lib/actions/delegations/windows.ts';
import type { Step, System } from '../search.ts';
import type { Rules } from './rules.ts';
import { losers, powersIn, type SituationPowers } from './small-model.ts';
import {
  applications,
  creator,
  nodes,
  plainTerms,
  registeredObligation,
  personsOfApplication,
} from './world.ts';

/** Voters 1 and 4 are one person with two roles, through two applications; voter 0 is the drafter. */
const voters = ['second-desk', 'dee-1', 'ben', 'cyd', 'dee-2'].map((application) => ({
  application,
  person: applications[application]!.person!,
}));
const AMOUNTS = [1, 2, 3];
const budgets = { per_action_minor: 3, per_day_minor: 4, per_month_minor: 6 };

/**
 * The possible days: two days of one month, the first day of the next month, and the instant at which the
 * terms and all authorities end.
 */
const days = [
  '2026-11-29T12:00:00Z',
  '2026-11-30T12:00:00Z',
  '2026-12-01T12:00:00Z',
  '2026-12-02T12:00:00Z',
].map((each) => new Date(each));
const OVER = 3;
const monthOf = [0, 0, 1, 1];
const terms = {
  ...plainTerms,
  budgets,
  valid_from: days[0]!.toISOString(),
  valid_until: days[OVER]!.toISOString(),
};
const envelope = { ...terms, obligation_uid: 'obl_1' };

type Vote = { voter: number; node: number };
type Held = { day: number; amount: number };
export type SmallState = {
  state: DelegationState;
  day: number;
  /** The persons who have lost the authority or role that qualified their votes, by index. */
  ended: readonly number[];
  /** Whether the connector that the terms name has ended. */
  isOutdated: boolean;
  votes: readonly Vote[];
  reserved: readonly Held[];
  settled: readonly Held[];
};

/** A defect outside the rules: a rule is called with wrong input, or not at all. */
export type Defect =
  | 'self-approval is allowed'
  | 'a person may vote twice'
  | 'votes are not voided when an authority ends'
  | 'an active delegation is not suspended when an authority ends'
  | 'an active delegation is not suspended when its connector ends'
  | 'the authority above the authority of a voter is not checked'
  | 'the role of a voter is not checked'
  | 'the budget is compared before the amount is added'
  | 'a revoked delegation can still spend';

/**
 * Returns a model of a delegation with two nodes that is small enough to visit every state. The model bounds the
 * possible voters, the events that may end the delegation, the amounts that may be spent, the days, and the number of
 * open reservations. The given rules determine the effect of each event. The invariants are computed separately.
 */
export function smallWorld(
  rules: Rules,
  {
    defect,
    openMax = 1,
    amounts = AMOUNTS,
  }: { defect?: Defect; openMax?: number; amounts?: readonly number[] } = {},
): System<SmallState> {
  const { decideApproval, nextDelegationState, reservationTransitions } = rules;
  const facts = voters.map(({ application }) => ({
    creator:
      defect === 'self-approval is allowed'
        ? { ...personsOfApplication('idle'), application: '', principals: [], issuers: [], binders: [] }
        : creator,
    approver: personsOfApplication(application),
  }));

  const known = new Map<string, SituationPowers>();
  const powersAt = (lost: readonly number[], day: number): SituationPowers => {
    const key = `${lost.join('')} ${day}`;
    if (!known.has(key)) known.set(key, powersIn(rules, { voters, terms, lost, now: days[day]! }));
    return known.get(key)!;
  };
  /** Returns the current state of a vote: whether it still counts, or the reason that it does not. */
  const support = ({ ended, day }: SmallState, { voter, node }: Vote) => {
    if (defect === 'votes are not voided when an authority ends') return 'holds';
    const unseen = {
      'the authority above the authority of a voter is not checked': losers.indexOf('cyd'),
      'the role of a voter is not checked': losers.indexOf('ben'),
    }[defect as string];
    const seen = ended.filter((each) => each !== unseen);
    return powersAt(seen, day).votes[voter]![node - 1]!;
  };

  const windows = days.map((day) => rules.windowsAt(day, terms.time_zone));
  const use = ({ day: now, reserved, settled }: SmallState): Record<Window, WindowUse> => {
    const of = (window: Window) => {
      const isIn = (day: number) => windows[day]![window] === windows[now]![window];
      return { reserved: BigInt(sum(reserved, isIn)), settled: BigInt(sum(settled, isIn)) };
    };
    return { day: of('day'), month: of('month') };
  };

  function approvalFacts(from: SmallState, voter: number): ApprovalFacts {
    const { person } = voters[voter]!;
    const { roles, authorities } = powersAt(from.ended, from.day);
    const known = (vote: Vote) =>
      defect === 'a person may vote twice' ? `${vote.voter}` : voters[vote.voter]!.person;
    return {
      state: from.state,
      awaited: from.state === 'suspended' ? 'suspended' : 'draft',
      isDraftOver: from.day === OVER,
      riskTier: 'T1',
      isIdentityActive: true,
      outdated: from.isOutdated ? ['connector'] : [],
      graph: 'active',
      nodes,
      voter: { uid: person, isActive: true, roles: roles[voter]! },
      ...facts[voter]!,
      authorities: authorities[voter]!,
      votes: from.votes.map((vote, index) => ({
        uid: `${index}`,
        node: vote.node,
        person: known(vote),
        support: support(from, vote),
      })),
      intent: null,
    };
  }

  function approve(from: SmallState, voter: number): SmallState {
    const verdict = decideApproval(approvalFacts(from, voter));
    const voided = new Set(verdict.voided.map(({ uid }) => Number(uid)));
    const votes = from.votes.filter((_, index) => !voided.has(index));
    if (!verdict.ok) {
      const isOver = verdict.code === 'delegation_expired';
      return { ...from, votes, state: isOver ? after(from.state, 'expire') : from.state };
    }
    const event = from.state === 'draft' ? 'activate' : 'resume';
    const state = verdict.isComplete ? after(from.state, event) : from.state;
    const all = [...votes, { voter, node: verdict.node }];
    return { ...from, state, votes: all.sort((a, b) => a.node - b.node || a.voter - b.voter) };
  }

  const after = (state: DelegationState, event: DelegationEvent) =>
    nextDelegationState(state, event) ?? state;

  function change(from: SmallState, event: DelegationEvent): SmallState {
    const state = after(from.state, event);
    return { ...from, state, votes: state === 'suspended' ? [] : from.votes };
  }

  function lose(from: SmallState, person: number): SmallState {
    const to = { ...from, ended: [...from.ended, person].sort() };
    const isLost = from.state === 'activated' && from.votes.some((vote) => support(to, vote) !== 'holds');
    return isLost && defect !== 'an active delegation is not suspended when an authority ends'
      ? change(to, 'suspend')
      : to;
  }

  function endConnector(from: SmallState): SmallState {
    const to = { ...from, isOutdated: true };
    return defect === 'an active delegation is not suspended when its connector ends'
      ? to
      : change(to, 'suspend');
  }

  function spend(from: SmallState, amount: number): Step<SmallState> {
    const { state, day } = from;
    const refusal = rules.authorizeRefusal(
      {
        state: defect === 'a revoked delegation can still spend' && state === 'revoked' ? 'activated' : state,
        terms,
        activatedAt: days[0]!,
        now: days[day]!,
        isIdentityActive: true,
        isSupported: from.votes.every((vote) => support(from, vote) === 'holds'),
        isCurrent: !from.isOutdated,
        isFrozen: false,
        obligation: registeredObligation,
        use: use(from),
      },
      {
        ...envelope,
        amount_minor: defect === 'the budget is compared before the amount is added' ? 1 : amount,
      },
    );
    const isUsable = state === 'activated' && day < OVER;
    const isWithin =
      sumOn(from, day) + amount <= budgets.per_day_minor &&
      sumIn(from, day) + amount <= budgets.per_month_minor;
    const label = `spend ${amount}`;
    if (refusal) return { label, next: from, breaks: isUsable && isWithin ? 'Admitted' : undefined };
    const reserved = [...from.reserved, { day, amount }].sort((a, b) => a.day - b.day || a.amount - b.amount);
    return { label, next: { ...from, reserved }, breaks: isUsable ? undefined : 'SpendOnlyActive' };
  }

  function end(from: SmallState, index: number, event: 'settle' | 'release'): SmallState {
    const held = from.reserved[index]!;
    const reserved = from.reserved.filter((_, other) => other !== index);
    const to = reservationTransitions[event].reserved;
    return to === 'settled'
      ? { ...from, reserved, settled: addTo(from.settled, held) }
      : { ...from, reserved };
  }

  function stepsOf(from: SmallState): Step<SmallState>[] {
    const steps: Step<SmallState>[] = [];
    const add = (label: string, next: SmallState) => {
      const wasOver = ended.has(from.state) && next.state !== from.state;
      steps.push({ label, next, breaks: wasOver ? 'NoResurrection' : undefined });
    };
    voters.forEach((_, voter) => add(`approve ${voter}`, approve(from, voter)));
    for (const event of ['suspend', 'revoke', 'reject'] as const) add(event, change(from, event));
    if (from.day === OVER) add('expire', change(from, 'expire'));
    if (from.reserved.length < openMax) steps.push(...amounts.map((amount) => spend(from, amount)));
    from.reserved.forEach((_, index) => {
      add('settle', end(from, index, 'settle'));
      add('release', end(from, index, 'release'));
    });
    if (ended.has(from.state)) return steps;
    losers.forEach((_, person) => {
      if (!from.ended.includes(person)) add(`lose ${losers[person]}`, lose(from, person));
    });
    if (!from.isOutdated) add('endConnector', endConnector(from));
    if (from.day < OVER) add('tick', { ...from, day: from.day + 1 });
    return steps;
  }

  return {
    initial: { state: 'draft', day: 0, ended: [], isOutdated: false, votes: [], reserved: [], settled: [] },
    stepsOf,
    brokenIn,
    keyOf: ({ state, day, ended, isOutdated, votes, reserved, settled }) =>
      [
        state,
        day,
        ended.join('') + (isOutdated ? 'x' : ''),
        votes.map(({ voter, node }) => voter * 3 + node).join('.'),
        reserved.map((held) => held.day * 4 + held.amount).join('.'),
        settled.map((held) => held.day * 10 + held.amount).join('.'),
      ].join('|'),
  };
}

export const ended: ReadonlySet<DelegationState> = new Set([
  'rejected',
  'withdrawn',
  'expired',
  'revoked',
  'superseded',
]);

/**
 * Whether the approval can still be completed: every required voter still qualifies, the terms are valid, and
 * the end of the delegation has not passed.
 */
export function canBeCompleted({ state, ended, isOutdated, day }: SmallState): boolean {
  return (state === 'draft' || state === 'suspended') && day < OVER && !ended.length && !isOutdated;
}

/** Returns the invariant that a state breaks, computed from the events and the persons. */
function brokenIn({ state, ended, isOutdated, votes, ...spent }: SmallState): string | undefined {
  const people = votes.map(({ voter }) => voters[voter]!.person);
  const at = (node: number) =>
    new Set(votes.filter((vote) => vote.node === node).map(({ voter }) => voters[voter]!.person)).size;
  if (people.includes('dora')) return 'Independent';
  if (new Set(people).size < people.length) return 'DistinctPersons';
  if (at(2) && at(1) < 2) return 'InOrder';
  if (state === 'activated' && (at(1) !== 2 || at(2) !== 1)) return 'OnceActive';
  if (state === 'activated' && people.some((person) => ended.includes(losers.indexOf(person))))
    return 'AuthorityLive';
  if (state === 'activated' && isOutdated) return 'TermsStand';
  for (const day of [0, 1, 2]) {
    if (sumOn(spent, day) > budgets.per_day_minor || sumIn(spent, day) > budgets.per_month_minor)
      return 'WithinBudget';
  }
  return undefined;
}

type Spent = Pick<SmallState, 'reserved' | 'settled'>;

function sum(held: readonly Held[], isCounted: (day: number) => boolean): number {
  return held.reduce((total, { day, amount }) => total + (isCounted(day) ? amount : 0), 0);
}

function sumOn({ reserved, settled }: Spent, on: number): number {
  return sum([...reserved, ...settled], (day) => day === on);
}

function sumIn({ reserved, settled }: Spent, on: number): number {
  return sum([...reserved, ...settled], (day) => monthOf[day] === monthOf[on]);
}

function addTo(settled: readonly Held[], { day, amount }: Held): Held[] {
  const before = sum(settled, (each) => each === day);
  const others = settled.filter((each) => each.day !== day);
  return [...others, { day, amount: before + amount }].sort((a, b) => a.day - b.day);
}
