import { expect } from 'chai';
import fc from 'fast-check';
import type { GovernedState } from '#lib/governance/governed/states.ts';
import type { Property } from './rules.ts';
import { delegationTable, governedTable, nextIn, reservationTable } from './tables.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

export const asInTheTables: Property = (rules) => {
  for (const state of rules.delegationStates) {
    for (const event of rules.delegationEvents) {
      const next = rules.nextDelegationState(state, event);
      expect(next, `${state}, ${event}`).to.equal(nextIn(delegationTable, state, event));
    }
  }
  for (const state of rules.reservationStates) {
    for (const event of rules.reservationEvents) {
      const next = rules.reservationTransitions[event][state];
      expect(next, `${state}, ${event}`).to.equal(nextIn(reservationTable, state, event));
    }
  }
};

const someone = fc.constantFrom('ann', 'ben', 'cyd', 'dee');

/**
 * Checks that each event by each person has the expected result in any history of a record, and that no
 * person gives authority to themselves.
 */
export const byTwoPersons: Property = ({ decideGoverned, governedEvents }, options) => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...governedEvents), someone), { maxLength: 6 });
  fc.assert(
    fc.property(fc.option(someone), fc.uniqueArray(someone), steps, (draftedBy, parties, events) => {
      let state: GovernedState = 'draft';
      let submittedBy: string | null = null;
      for (const [event, person] of events) {
        const facts = {
          state,
          draftedBy,
          submittedBy,
          submittedAt: submittedBy === null ? null : NOW,
          now: NOW,
          parties,
        };
        const next = nextIn(governedTable, state, event);
        const gives = event === 'submit' || event === 'approve';
        const isParty = gives && parties.includes(person);
        const isSecond = event !== 'approve' || (person !== draftedBy && person !== submittedBy);
        const verdict = decideGoverned(facts, event, person);
        const code =
          next === undefined ? 'transition_not_allowed' : isParty ? 'party_to_it' : 'second_person_required';
        expect(verdict).to.deep.equal(
          next && !isParty && isSecond ? { ok: true, next } : { ok: false, code },
        );
        if (!verdict.ok) continue;
        state = verdict.next;
        if (event === 'submit') submittedBy = person;
      }
    }),
    options,
  );
};
