import { expect } from 'chai';
import fc from 'fast-check';
import {
  decideGoverned,
  governedEvents,
  governedStates,
  governedTransitions,
  SUBMISSION_DAYS,
  type GovernedEvent,
  type GovernedFacts,
} from '#lib/governance/governed/states.ts';
import { byTwoPersons } from '../../support/delegation/properties-of-records.ts';
import { rules } from '../../support/delegation/rules.ts';
import { governedTable, nextIn } from '../../support/delegation/tables.ts';
import { repetitions } from '../../support/repetitions.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const DAY = 86_400_000;

const facts = (changes: Partial<GovernedFacts> = {}): GovernedFacts => ({
  state: 'submitted',
  draftedBy: 'drafter',
  submittedBy: 'submitter',
  submittedAt: new Date(NOW.getTime() - DAY),
  now: NOW,
  parties: ['party'],
  ...changes,
});

describe('a governed record', () => {
  for (const state of governedStates) {
    for (const event of governedEvents) {
      const next = nextIn(governedTable, state, event);
      it(`${next ? `changes from ${state} to ${next} on ${event}` : `refuses ${event} in the state ${state}`} by an independent person`, () => {
        expect(decideGoverned(facts({ state }), event, 'other')).to.deep.equal(
          next ? { ok: true, next } : { ok: false, code: 'transition_not_allowed' },
        );
      });
    }
  }

  it('allows exactly the changes of state in the expected table', () => {
    const listed = governedEvents.flatMap((event) =>
      governedTransitions[event].map(([from, to]) => [from, event, to]),
    );
    expect(listed).to.have.deep.members(governedTable as unknown as string[][]);
  });

  const refusals: [string, GovernedEvent, Partial<GovernedFacts>, string, string][] = [
    ['is not submitted by a party to the record', 'submit', { state: 'draft' }, 'party', 'party_to_it'],
    ['is not approved by a party to the record', 'approve', {}, 'party', 'party_to_it'],
    [
      'is not approved by the person who drafted the record',
      'approve',
      {},
      'drafter',
      'second_person_required',
    ],
    [
      'is not approved by the person who submitted the record',
      'approve',
      {},
      'submitter',
      'second_person_required',
    ],
  ];
  for (const [title, event, changes, person, code] of refusals) {
    it(`I-097 ${title}`, () => {
      expect(decideGoverned(facts(changes), event, person)).to.deep.equal({ ok: false, code });
    });
  }

  it('I-097 is approved only by a person other than the drafter, the submitter and the parties', () => {
    const someone = fc.constantFrom('ann', 'ben', 'cyd', 'dee');
    fc.assert(
      fc.property(
        fc.option(someone),
        someone,
        someone,
        fc.uniqueArray(someone),
        (draftedBy, submitter, approver, parties) => {
          const drafted = facts({ state: 'draft', draftedBy, submittedBy: null, submittedAt: null, parties });
          const submitted = decideGoverned(drafted, 'submit', submitter);
          expect(submitted.ok).to.equal(!parties.includes(submitter));
          if (!submitted.ok) return;
          const approved = decideGoverned(
            facts({ draftedBy, submittedBy: submitter, parties }),
            'approve',
            approver,
          );
          const isIndependent = ![draftedBy, submitter, ...parties].includes(approver);
          expect(approved.ok).to.equal(isIndependent);
        },
      ),
    );
  });

  it('I-097 obeys the state table and the rules on persons after any sequence of events', () => {
    byTwoPersons(rules, { numRuns: repetitions.governedHistories });
  });

  it('can be approved until the end of the submission period, but not 1 ms later', () => {
    const after = (ms: number) =>
      decideGoverned(
        facts({ submittedAt: new Date(NOW.getTime() - SUBMISSION_DAYS * DAY - ms) }),
        'approve',
        'other',
      );
    expect(after(0)).to.deep.equal({ ok: true, next: 'active' });
    expect(after(1)).to.deep.equal({ ok: false, code: 'submission_lapsed' });
  });

  it('I-164 can be withdrawn, suspended or ended by any one person, which never activates the record', () => {
    for (const state of governedStates) {
      for (const event of ['withdraw', 'suspend', 'end'] as const) {
        const outcomes = ['drafter', 'submitter', 'party', 'other'].map((person) =>
          decideGoverned(facts({ state }), event, person),
        );
        for (const outcome of outcomes) {
          expect(outcome).to.deep.equal(outcomes[0]);
          if (outcome.ok) expect(outcome.next).to.not.equal('active');
        }
      }
    }
  });

  it('I-164 can be ended only by an approved successor if the record restricts others', () => {
    for (const state of governedStates) {
      const ended = decideGoverned(facts({ state, restrains: true }), 'end', 'other');
      const code =
        state === 'active' || state === 'suspended' ? 'successor_required' : 'transition_not_allowed';
      expect(ended).to.deep.equal({ ok: false, code });
    }
  });

  it('cannot be submitted or approved again after its suspension, end or withdrawal', () => {
    for (const state of ['suspended', 'ended', 'withdrawn'] as const) {
      for (const event of ['submit', 'approve'] as const) {
        expect(decideGoverned(facts({ state }), event, 'other').ok).to.equal(false);
      }
    }
  });
});
