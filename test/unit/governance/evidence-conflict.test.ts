import { expect } from 'chai';
import { conflictDecisions, conflictStates, decideConflict } from '#lib/governance/evidence-conflict.ts';

describe('conflicting evidence', () => {
  for (const state of conflictStates) {
    for (const decision of conflictDecisions) {
      const expected = state === 'open' ? `resolved_${decision}` : 'conflict_resolved';
      it(`${state}, ${decision} by a person of neither side: ${expected}`, () => {
        const verdict = decideConflict(state, decision, 'per_3', ['per_1', 'per_2']);
        expect(verdict.ok ? verdict.next : verdict.code).to.equal(expected);
      });
    }
  }

  it('I-023 is decided by nobody who stands behind an offer', () => {
    for (const person of ['per_1', 'per_2']) {
      const verdict = decideConflict('open', 'keep', person, ['per_1', 'per_2']);
      expect(verdict).to.deep.equal({ ok: false, code: 'resolver_not_independent' });
    }
  });
});
