import { expect } from 'chai';
import { decideChange, personEvents } from '#lib/actions/delegations/change.ts';
import { decideIntent } from '#lib/actions/delegations/intent.ts';
import { delegationStates, nextDelegationState } from '#lib/actions/delegations/states.ts';

describe('a change to a delegation by one person', () => {
  const able = { creators: ['per_1'], isVoter: true };
  const code = (verdict: { ok: true } | { ok: false; code: string }) => (verdict.ok ? 'ok' : verdict.code);

  for (const event of personEvents) {
    it(`allows ${event} in exactly the states that the state table lists`, () => {
      for (const state of delegationStates) {
        const next = nextDelegationState(state, event);
        expect(decideChange({ state, ...able }, event, 'per_1')).to.deep.equal(
          next ? { ok: true, next } : { ok: false, code: 'transition_not_allowed' },
        );
      }
    });
  }

  it('lets only a creator withdraw a draft and only an eligible voter reject a draft', () => {
    const none = { state: 'draft' as const, creators: ['per_2'], isVoter: false };
    expect(code(decideChange(none, 'withdraw', 'per_1'))).to.equal('not_of_the_drafters');
    expect(code(decideChange(none, 'reject', 'per_1'))).to.equal('approver_not_eligible');
    expect(code(decideChange({ ...none, state: 'activated' }, 'revoke', 'per_1'))).to.equal('ok');
  });

  it('lets only the person bound to an application declare an intent, and only at the open node of a draft', () => {
    const bound = { state: 'draft' as const, boundPerson: 'per_1', openNode: 2 };
    expect(decideIntent(bound, 'per_1')).to.deep.equal({ ok: true, node: 2 });
    expect(code(decideIntent({ ...bound, state: 'activated' }, 'per_1'))).to.equal('delegation_not_draft');
    expect(code(decideIntent(bound, 'per_2'))).to.equal('approver_not_bound');
    expect(code(decideIntent({ ...bound, openNode: undefined }, 'per_1'))).to.equal('node_unknown');
  });
});
