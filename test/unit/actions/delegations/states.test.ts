import { expect } from 'chai';
import {
  delegationEvents,
  delegationStates,
  nextDelegationState,
  type DelegationEvent,
  type DelegationState,
} from '#lib/actions/delegations/states.ts';
import {
  reservationEvents,
  reservationStates,
  reservationTransitions,
} from '#lib/actions/delegations/windows.ts';
import { delegationTable, nextIn, reservationTable } from '../../../support/delegation/tables.ts';

describe('the states of a delegation', () => {
  for (const state of delegationStates) {
    for (const event of delegationEvents) {
      const next = nextIn(delegationTable, state, event);
      it(`${next ? `change from ${state} to ${next} on ${event}` : `do not allow ${event} in the state ${state}`}`, () => {
        expect(nextDelegationState(state, event)).to.equal(next);
      });
    }
  }

  it('I-060, I-061, I-076 allow no event once the delegation is rejected, withdrawn, expired, revoked or superseded', () => {
    for (const state of ['rejected', 'withdrawn', 'expired', 'revoked', 'superseded'] as const) {
      for (const event of delegationEvents) expect(nextDelegationState(state, event)).to.equal(undefined);
    }
  });

  it('I-160 can all be reached from a draft, and expire if they are not final', () => {
    expect(reachedFrom('draft', delegationEvents)).to.have.members([...delegationStates]);
    for (const state of ['draft', 'activated', 'suspended'] as const) {
      expect(nextDelegationState(state, 'expire')).to.equal('expired');
    }
  });

  it('I-164 never become activated by an event that one person can cause alone', () => {
    const alone = delegationEvents.filter((event) => event !== 'activate' && event !== 'resume');
    for (const state of delegationStates) {
      for (const event of alone) expect(nextDelegationState(state, event)).to.not.equal('activated');
    }
    expect(reachedFrom('suspended', alone)).to.not.include('activated');
  });
});

describe('the states of a reservation', () => {
  for (const state of reservationStates) {
    for (const event of reservationEvents) {
      const next = nextIn(reservationTable, state, event);
      it(`${next ? `change from ${state} to ${next} on ${event}` : `do not allow ${event} in the state ${state}`}`, () => {
        expect(reservationTransitions[event][state]).to.equal(next);
      });
    }
  }

  it('I-073 allow no event after settlement or release', () => {
    for (const state of ['settled', 'released'] as const) {
      for (const event of reservationEvents) expect(reservationTransitions[event][state]).to.equal(undefined);
    }
  });

  it('I-080 allow the event `stick` only in the state reserved, which becomes stuck', () => {
    expect(reservationTransitions.stick).to.deep.equal({ reserved: 'stuck' });
  });
});

function reachedFrom(start: DelegationState, events: readonly DelegationEvent[]): DelegationState[] {
  const reached = new Set([start]);
  for (const state of reached) {
    for (const event of events) {
      const next = nextDelegationState(state, event);
      if (next) reached.add(next);
    }
  }
  return [...reached];
}
