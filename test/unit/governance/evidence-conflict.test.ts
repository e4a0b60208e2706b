import { expect } from 'chai';
import { conflictDecisions, conflictStates, decideConflict } from '#lib/governance/evidence-conflict.ts';

const open = { state: 'open', isLive: true, open: 1, proposers: ['per_1', 'per_2'] } as const;

describe('conflicting evidence', () => {
  for (const state of conflictStates) {
    for (const decision of conflictDecisions) {
      const expected = state === 'open' ? `resolved_${decision}` : 'conflict_resolved';
      it(`${state}, ${decision} by a person who proposed neither version: ${expected}`, () => {
        const verdict = decideConflict({ ...open, state }, decision, 'per_3');
        expect(verdict.ok ? verdict.next : verdict.code).to.equal(expected);
      });
    }
  }

  it('I-023 is never decided by a person who proposed one of the versions', () => {
    for (const person of ['per_1', 'per_2']) {
      expect(decideConflict(open, 'keep', person)).to.deep.equal({
        ok: false,
        code: 'resolver_not_independent',
      });
    }
  });

  it('never replaces a record that has ended or has another conflict', () => {
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
