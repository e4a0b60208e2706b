import { expect } from 'chai';
import {
  decideException,
  exceptionStates,
  exceptionTransitions,
  type ExceptionFacts,
} from '#lib/actions/execution/exceptions/exception-decision.ts';
import { exceptionKinds } from '#lib/actions/execution/exceptions/exception-kinds.ts';
import fc from 'fast-check';

const facts: ExceptionFacts = { state: 'open', kind: 'date_late', recorders: ['rec'], firstWaiver: null };

describe('exceptions of a settlement', () => {
  for (const event of ['acknowledge', 'resolve', 'waive'] as const) {
    for (const state of exceptionStates) {
      const listed = exceptionTransitions[event].find(([from]) => from === state);
      it(`${listed ? 'allow' : 'refuse'} ${event} in the state ${state}`, () => {
        const verdict = decideException({ ...facts, state, firstWaiver: 'first' }, event, 'second');
        expect(verdict).to.deep.equal(
          listed
            ? { ok: true, next: listed[1], waitsForSecond: false }
            : { ok: false, code: 'transition_not_allowed' },
        );
      });
    }
  }

  it('I-113 are waived by two persons who did not record the observation', () => {
    const person = fc.constantFrom('a', 'b', 'rec', 'owner');
    fc.assert(
      fc.property(fc.array(person, { maxLength: 6 }), fc.subarray(['rec', 'owner']), (callers, recorders) => {
        let now = { ...facts, recorders };
        const heard: string[] = [];
        for (const caller of callers) {
          const verdict = decideException(now, 'waive', caller);
          if (!verdict.ok) continue;
          heard.push(caller);
          now = { ...now, state: verdict.next, firstWaiver: caller };
        }
        if (now.state === 'waived') expect(new Set(heard).size).to.equal(2);
        expect(heard.filter((each) => recorders.includes(each))).to.deep.equal([]);
        const able = [...new Set(callers)].filter((each) => !recorders.includes(each));
        expect(now.state === 'waived').to.equal(able.length >= 2);
      }),
    );
  });

  it('are resolved by one independent person only if no custody observation can end the exception', () => {
    for (const [kind, { endsBy }] of Object.entries(exceptionKinds)) {
      const verdict = decideException({ ...facts, kind: kind as 'date_late' }, 'resolve', 'a');
      expect(verdict.ok, kind).to.equal(endsBy === 'person');
    }
    expect(decideException(facts, 'resolve', 'rec')).to.deep.equal({
      ok: false,
      code: 'decider_not_independent',
    });
  });
});
