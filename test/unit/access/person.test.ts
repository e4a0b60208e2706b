import { expect } from 'chai';
import {
  decidePerson,
  personEvents,
  personStates,
  type PersonEvent,
  type PersonState,
} from '#lib/access/person.ts';

const table: Record<PersonState, Record<PersonEvent, string>> = {
  active: { suspend: 'suspended', reinstate: 'person_not_suspended', depart: 'departed' },
  suspended: { suspend: 'person_not_active', reinstate: 'active', depart: 'departed' },
  departed: { suspend: 'person_departed', reinstate: 'person_departed', depart: 'person_departed' },
};

const outcome = (...given: Parameters<typeof decidePerson>) => {
  const verdict = decidePerson(...given);
  return verdict.ok ? verdict.next : verdict.code;
};

describe('the decision about a person', () => {
  for (const state of personStates) {
    for (const event of personEvents) {
      it(`returns ${table[state][event]} for ${event} of a person who is ${state}, requested by another active person`, () => {
        expect(outcome(state, event, { state: 'active', self: false })).to.equal(table[state][event]);
      });

      for (const actor of ['suspended', 'departed'] as const) {
        it(`refuses ${event} of a person who is ${state}, requested by another person who is ${actor}`, () => {
          expect(outcome(state, event, { state: actor, self: false })).to.equal('actor_not_active');
        });
      }

      const self = state === 'active' ? 'own_state' : 'actor_not_active';
      it(`returns ${self} for ${event} of a person who is ${state}, requested by the same person`, () => {
        expect(outcome(state, event, { state, self: true })).to.equal(self);
      });
    }
  }
});
