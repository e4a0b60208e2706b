import { expect } from 'chai';
import type { Budgets } from '#lib/actions/delegations/terms.ts';
import type { PinnedNode } from '#lib/actions/delegations/quorum.ts';
import type { DelegationBackend, Draft } from './backend.ts';
import { localDay } from './local-day.ts';
import {
  applications,
  AUTHORITIES_END,
  FIRST_DAY,
  grantedByHead,
  HEAD,
  independentVoters,
  plainTerms,
  rolesOf,
} from './world.ts';

const DAY = 86_400_000;
const BUDGETS_MAX = { per_action_minor: 300, per_day_minor: 500, per_month_minor: 900 };
const UNTIL = Date.parse(plainTerms.valid_until);
const drafters = new Set(['dora', 'kit']);

type Seen = {
  uid: string;
  nodes: readonly PinnedNode[];
  budgets: Budgets;
  createdAt: number;
  votes: { node: number; person: string }[];
  /** The state that the auditor derives for a delegation from the answers so far. */
  is: 'draft' | 'active' | 'suspended' | 'over';
  activatedAt: number;
  activations: number;
};
type Held = {
  uid: string;
  of: Seen;
  amount: number;
  day: string;
  month: string;
  settled: number;
  isOpen: boolean;
};

/**
 * Makes each call and checks its answer against the earlier calls and answers. The auditor only knows the
 * persons and adds up amounts. It uses neither the rules nor the state of the system under test.
 */
export class Auditor {
  now = FIRST_DAY.getTime();
  readonly seen: Seen[] = [];
  readonly held: Held[] = [];
  private readonly ended = new Set<string>();
  private readonly backend: DelegationBackend;

  constructor(backend: DelegationBackend) {
    this.backend = backend;
  }

  async create({ nodes, budgets }: Draft): Promise<Seen | undefined> {
    const answer = await this.backend.create({ nodes, budgets });
    const { per_action_minor: action, per_day_minor: day, per_month_minor: month } = budgets;
    const isOrdered = action >= 1 && action <= day && day <= month && this.now < UNTIL;
    expect(
      answer.ok,
      'I-041 a draft is accepted exactly if its budgets are ordered and its validity has not ended',
    ).to.equal(isOrdered);
    if (!answer.ok) return undefined;
    const fresh = { votes: [], is: 'draft' as const, activatedAt: Number.NaN, activations: 0 };
    this.seen.push({ ...fresh, uid: answer.uid, nodes, budgets, createdAt: this.now });
    return this.seen.at(-1)!;
  }

  async approve(of: Seen, application: string): Promise<void> {
    const answer = await this.backend.approve(of.uid, application);
    const { person } = applications[application]!;
    const isOver = this.now >= Math.min(of.createdAt + 7 * DAY, UNTIL);
    if (of.is === 'draft' && isOver) of.is = 'over';
    const isIndependent = (independentVoters as readonly string[]).includes(application);
    if (!isIndependent)
      expect(answer.ok, `I-050 I-051 I-052 I-053 ${application} never approves`).to.equal(false);
    if (of.is !== 'draft')
      expect(answer.ok, 'I-060 I-061 I-064 only a draft can be approved').to.equal(false);
    if (of.is === 'draft') this.forget(of);
    this.count(of, person, answer, of.is === 'draft' && isIndependent);
  }

  async resume(of: Seen, person: string): Promise<void> {
    const answer = await this.backend.resume(of.uid, person);
    if (of.is === 'suspended' && this.now >= UNTIL) of.is = 'over';
    if (of.is === 'suspended') this.forget(of);
    this.count(of, person, answer, of.is === 'suspended' && !drafters.has(person));
  }

  /**
   * A vote is accepted if and only if the person may cast it. The last missing vote activates the delegation.
   */
  private count(
    of: Seen,
    person: string | null,
    answer: { ok: true; isActivated: boolean } | { ok: false; code: string },
    isAwaited: boolean,
  ): void {
    const open = openOf(of);
    const isCovered = Object.entries(BUDGETS_MAX).every(
      ([bound, max]) => of.budgets[bound as keyof Budgets] <= max,
    );
    const mayVote =
      isAwaited &&
      isCovered &&
      person !== null &&
      !this.hasLost(person) &&
      this.now < UNTIL &&
      !of.votes.some((vote) => vote.person === person) &&
      open !== undefined &&
      open.roles.some((role) => rolesOf(person).includes(role));
    expect(
      answer.ok,
      `I-056 I-057 I-058 the vote of ${person} is accepted exactly if the person may cast it`,
    ).to.equal(mayVote);
    if (!answer.ok) return;
    of.votes.push({ node: open!.position, person: person! });
    expect(
      answer.isActivated,
      'I-055 I-059 the delegation is activated exactly by the last required vote',
    ).to.equal(!openOf(of));
    if (!answer.isActivated) return;
    if (of.is === 'draft') of.activatedAt = this.now;
    of.is = 'active';
    of.activations += 1;
  }

  /**
   * Two kinds of votes no longer count: invalid votes, and votes that were cast after their node had enough
   * votes.
   */
  private forget(of: Seen): void {
    of.votes = of.votes.filter(({ person }) => !this.hasLost(person));
    const open = openOf(of);
    if (open) of.votes = of.votes.filter(({ node }) => node <= open.position);
  }

  async reject(of: Seen, person: string): Promise<void> {
    const answer = await this.backend.reject(of.uid, person);
    const may = of.is === 'draft' && openOf(of)!.roles.some((role) => rolesOf(person).includes(role));
    expect(
      answer.ok,
      'I-061 a person may reject a draft exactly if the person may vote at the open node',
    ).to.equal(may);
    if (answer.ok) of.is = 'over';
  }

  async suspend(of: Seen): Promise<void> {
    const answer = await this.backend.suspend(of.uid);
    expect(answer.ok, 'only an active delegation can be suspended').to.equal(of.is === 'active');
    if (answer.ok) this.lose(of);
  }

  async revoke(of: Seen): Promise<void> {
    const answer = await this.backend.revoke(of.uid);
    const may = of.is === 'active' || of.is === 'suspended';
    expect(answer.ok, 'I-076 only an active or suspended delegation can be revoked').to.equal(may);
    if (answer.ok) of.is = 'over';
  }

  /**
   * Ends the authority of a person. From then on the auditor expects every delegation that lost a vote to be suspended,
   * even if the vote was lost by expiry or through another person.
   */
  async endAuthority(person: string): Promise<void> {
    await this.backend.endAuthority(person);
    this.ended.add(person);
    for (const of of this.seen) {
      if (of.is === 'active' && of.votes.some((vote) => this.hasLost(vote.person))) this.lose(of);
    }
  }

  /**
   * Whether a person has lost their authority: the authority or its parent authority was ended, or all
   * authorities have expired.
   */
  private hasLost(person: string): boolean {
    if (this.now >= Date.parse(AUTHORITIES_END)) return true;
    return this.ended.has(person) || (grantedByHead.has(person) && this.ended.has(HEAD));
  }

  private lose(of: Seen): void {
    of.is = 'suspended';
    of.votes = [];
  }

  async spend(of: Seen, amount: number): Promise<void> {
    const answer = await this.backend.authorize(of.uid, amount);
    const isUsable = of.is === 'active' && of.activatedAt <= this.now && this.now < UNTIL;
    const isOne = amount >= 1 && amount <= of.budgets.per_action_minor;
    if (!isUsable)
      expect(
        answer.ok,
        'I-071 I-076 only an active delegation can be used, and only during its validity',
      ).to.equal(false);
    if (!isOne) expect(answer.ok, `I-072 ${amount} is not a valid amount of one action`).to.equal(false);
    const isWithin = amount <= this.remaining(of);
    if (!isWithin) expect(answer.ok, `I-070 ${amount} is above the remaining budget`).to.equal(false);
    if (isUsable && isOne && isWithin)
      expect(answer.ok, `I-075 ${amount} is within all limits, so the use is authorized`).to.equal(true);
    if (!answer.ok) return;
    const at = localDay(new Date(this.now), plainTerms.time_zone);
    this.held.push({ uid: answer.reservation, of, amount, ...at, settled: 0, isOpen: true });
  }

  /** Returns the remaining budget of the day and of the month. */
  remaining(of: Seen): number {
    const { per_day_minor: day, per_month_minor: month } = of.budgets;
    const left = (['day', 'month'] as const).map((window) => {
      const { reserved, settled } = this.used(of, window);
      return (window === 'day' ? day : month) - reserved - settled;
    });
    return Math.min(...left);
  }

  private used(of: Seen, window: 'day' | 'month') {
    const present = localDay(new Date(this.now), plainTerms.time_zone)[window];
    const here = this.held.filter((each) => each.of === of && each[window] === present);
    return {
      reserved: here.reduce((sum, { amount, isOpen }) => sum + (isOpen ? amount : 0), 0),
      settled: here.reduce((sum, each) => sum + each.settled, 0),
    };
  }

  async settle(held: Held, actual: number): Promise<void> {
    const answer = await this.backend.settle(held.uid, actual);
    const may = held.isOpen && actual >= 1 && actual <= held.amount;
    expect(answer.ok, 'I-073 a reservation is settled once, for at most its amount').to.equal(may);
    if (answer.ok) Object.assign(held, { isOpen: false, settled: actual });
  }

  async release(held: Held): Promise<void> {
    const answer = await this.backend.release(held.uid);
    expect(answer.ok, 'I-073 only an open reservation can be released').to.equal(held.isOpen);
    if (answer.ok) held.isOpen = false;
  }

  async moveTo(instant: number): Promise<void> {
    await this.backend.moveTo(new Date(instant));
    this.now = instant;
  }

  /**
   * Checks that the counters equal the sums of the answers, even after the clock went back or a lease
   * expired.
   */
  async balance(): Promise<void> {
    for (const of of this.seen) {
      const usage = await this.backend.usage(of.uid);
      for (const window of ['day', 'month'] as const) {
        const { reserved, settled } = this.used(of, window);
        expect(
          usage[window],
          `I-073 I-074 I-077 I-080 the usage of the ${window} of ${of.uid} equals the sum of the answers`,
        ).to.deep.equal({
          reserved: BigInt(reserved),
          settled: BigInt(settled),
        });
      }
    }
  }
}

function openOf({ nodes, votes }: Seen): PinnedNode | undefined {
  return nodes.find(({ position, quorum }) => votes.filter(({ node }) => node === position).length < quorum);
}
