import { expect } from 'chai';
import { conflictDecisions, conflictStates, decideConflict } from '#lib/governance/evidence-conflict.ts';

const open = { state: 'open', isLive: true, open: 1, proposers: ['per_1', 'per_2'] } as const;

describe('the decision about conflicting evidence', () => {
  for (const state of conflictStates) {
    for (const decision of conflictDecisions) {
      const expected = state === 'open' ? `resolved_${decision}` : 'conflict_resolved';
      it(`returns ${expected} for ${decision} in the state ${state} by a person who proposed neither version`, () => {
        const verdict = decideConflict({ ...open, state }, decision, 'per_3');
        expect(verdict.ok ? verdict.next : verdict.code).to.equal(expected);
      });
    }
  }

  it('I-023 is refused for a person who proposed one of the versions', () => {
    for (const person of ['per_1', 'per_2']) {
      expect(decideConflict(open, 'keep', person)).to.deep.equal({
        ok: false,
        code: 'resolver_not_independent',
      });
    }
  });

  it('refuses to replace a record that has ended or has another open conflict', () => {
    const codeOf = (facts: object, decision: 'keep' | 'supersede') => {
      const verdict = decideConflict({ ...open, ...facts }, decision, 'per_3');
      return verdict.ok || verdict.code;
    };
    expect(codeOf({ isLive: false }, 'supersede')).to.equal('transition_not_allowed');
    expect(codeOf({ open: 2 }, 'supersede')).to.equal('conflicts_open');
    expect(codeOf({ isLive: false }, 'keep')).to.equal(true);
    expect(codeOf({ open: 2 }, 'keep')).to.equal(true);
  });
});
