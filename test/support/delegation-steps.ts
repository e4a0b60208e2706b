import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { clientOf, type Answer } from './client.ts';
import {
  draftOnStage,
  expectedApproval,
  hasEqual,
  liveVotes,
  stateOnStage,
  voterOf,
  type Budgets,
  type CallerName,
  type Mode,
  type Stage,
  type Story,
  type ExpectedDelegation,
  type VoterName,
} from './delegation-story.ts';

/**
 * Returns the delegation that is `at` places before the newest delegation, counted in a circle; undefined if there are
 * no delegations.
 */
export function delegationAt({ delegations }: Story, at: number): ExpectedDelegation | undefined {
  return delegations.at(-1 - (at % Math.max(1, delegations.length)));
}

/**
 * Works like `delegationAt`, but counts delegations that were once in force before delegations that were
 * never in force.
 */
export function usedAt({ delegations }: Story, at: number): ExpectedDelegation | undefined {
  const newest = delegations.toReversed().toSorted((a, b) => b.activations - a.activations);
  return newest[at % Math.max(1, newest.length)];
}

const about = (answer: Answer) => `${answer.status} ${JSON.stringify(answer.body)}`;

/**
 * Drafts a delegation; returns whether the draft was accepted. Budgets are ordered (I-041), and a draft
 * authorizes nothing (I-040).
 */
export function draft(mode: Mode, budgets: Budgets) {
  return async (story: Story, stage: Stage): Promise<boolean> => {
    const send = draftOnStage(stage, mode, budgets);
    const key = randomUUID();
    const answer = await send(key);
    const { per_action_minor: action, per_day_minor: day, per_month_minor: month } = budgets;
    const isOrdered = action >= 1 && action <= day && day <= month;
    const expected = !isOrdered ? 422 : hasEqual(story, mode) ? 409 : 201;
    expect(answer.status, `I-041 ${about(answer)}`).to.equal(expected);
    if (answer.status !== 201) return false;
    expect([answer.body.state, answer.body.execution_authority.granted]).to.deep.equal(['draft', false]);
    story.kept.push({ first: answer, again: () => send(key) });
    const { uid } = answer.body;
    story.delegations.push({
      uid,
      mode,
      budgets,
      state: 'draft',
      votes: [],
      activations: 0,
      reservations: [],
    });
    return true;
  };
}

/** Calls `approve` as a caller with or without a vote. */
export function approve(at: number, caller: CallerName) {
  return async (story: Story, stage: Stage): Promise<void> => {
    const delegation = delegationAt(story, at);
    if (!delegation) return;
    const key = randomUUID();
    const path = `/actions/agentic/delegations/${delegation.uid}/approve`;
    const send = () =>
      clientOf(stage.backend, stage.keys[caller]).post(path, undefined, { 'idempotency-key': key });
    const answer = await send();
    story.kept.push({ first: answer, again: send });
    const expected = expectedApproval(story, delegation, caller);
    const isTaken = answer.status === 200 || answer.status === 202;
    expect(isTaken ? answer.status : 'refused', about(answer)).to.equal(expected);
    if (!isTaken) {
      expect([403, 409], about(answer)).to.include(answer.status);
      if (delegation.state !== 'draft') {
        expect(answer.body.code, 'I-060').to.be.oneOf(['delegation_not_draft', 'insufficient_scope']);
        expect(await stateOnStage(stage, delegation.uid), 'I-060').to.equal(delegation.state);
      }
      return;
    }
    const voter = voterOf(caller)!;
    expect(caller, 'I-050').to.not.equal('drafter');
    expect(delegation.votes, 'I-056').to.not.include(voter);
    delegation.votes.push(voter);
    expect(answer.body.state, 'I-059').to.equal(answer.status === 200 ? 'activated' : 'draft');
    if (answer.status === 202) return;
    expect(++delegation.activations, 'I-055').to.equal(1);
    expect(new Set(liveVotes(story, delegation)), 'I-058').to.deep.equal(new Set(['anna', 'bert', 'chef']));
    delegation.state = 'activated';
  };
}

type Decision = 'reject' | 'withdraw' | 'suspend' | 'revoke';

const next = { reject: 'rejected', withdraw: 'withdrawn', suspend: 'suspended', revoke: 'revoked' } as const;
const from: Record<Decision, readonly ExpectedDelegation['state'][]> = {
  reject: ['draft'],
  withdraw: ['draft'],
  suspend: ['activated'],
  revoke: ['activated', 'suspended'],
};

/**
 * Applies a person's decision through the operators' command line. A drafter never rejects, and a voter never
 * withdraws.
 */
export function decideAbout(at: number, event: Decision, who: VoterName | 'drafter') {
  return async (story: Story, { operators, cast, sample, ...stage }: Stage): Promise<void> => {
    const delegation = delegationAt(story, at);
    if (!delegation) return;
    const person = who === 'drafter' ? sample.persons.drafter.uid : cast[who].person;
    const done = await operators.decide(delegation.uid, event, person);
    if (done === 'ok') {
      expect(from[event], `${event} of what was ${delegation.state}`).to.include(delegation.state);
      if (event === 'reject') expect(who).to.not.equal('drafter');
      if (event === 'withdraw') expect(who).to.equal('drafter');
      delegation.state = next[event];
    } else if (event === 'suspend' || event === 'revoke') {
      expect(from[event], done).to.not.include(delegation.state);
    } else if (event === 'withdraw' && who === 'drafter')
      expect(delegation.state, done).to.not.equal('draft');
    const now = await stateOnStage({ operators, cast, sample, ...stage }, delegation.uid);
    expect(now, `after ${event}: ${done}`).to.equal(delegation.state);
  };
}

/**
 * Ends the authority of a voter. Delegations that depend on it are suspended at once (I-062), and votes under
 * this authority no longer count.
 */
export function endAuthority(voter: VoterName) {
  return async (story: Story, stage: Stage): Promise<void> => {
    if (story.withoutAuthority.has(voter)) return;
    const ended = await stage.operators.change('authority', stage.cast[voter].authority!, 'end');
    expect(ended.ok, JSON.stringify(ended)).to.equal(true);
    story.withoutAuthority.add(voter);
    for (const delegation of story.delegations) {
      if (delegation.state === 'activated') delegation.state = 'suspended';
      expect(await stateOnStage(stage, delegation.uid), 'I-062').to.equal(delegation.state);
    }
  };
}

/**
 * Repeats an earlier call with its idempotency key. The answer must be the first answer, and the call must
 * have no other effect.
 */
export function retry(at: number) {
  return async (story: Story, stage: Stage): Promise<void> => {
    const kept = story.kept.at(-1 - (at % Math.max(1, story.kept.length)));
    if (!kept) return;
    const answer = await kept.again();
    expect([answer.status, answer.body.code, answer.body.state], about(answer)).to.deep.equal([
      kept.first.status,
      kept.first.body.code,
      kept.first.body.state,
    ]);
    expect(answer.headers.get('idempotent-replayed')).to.equal('true');
    for (const delegation of story.delegations) {
      expect(await stateOnStage(stage, delegation.uid), 'after a retry').to.equal(delegation.state);
    }
  };
}
