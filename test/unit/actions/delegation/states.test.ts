import { expect } from 'chai';
import {
  delegationEvents,
  delegationStates,
  nextDelegationState,
  type DelegationEvent,
  type DelegationState,
} from '#lib/actions/delegation/states.ts';
import {
  reservationEvents,
  reservationStates,
  reservationTransitions,
  type ReservationEvent,
  type ReservationState,
} from '#lib/actions/delegation/windows.ts';

/** Every change of a delegation that there may be. */
const delegation: readonly [DelegationState, DelegationEvent, DelegationState][] = [
  ['draft', 'activate', 'activated'],
  ['draft', 'reject', 'rejected'],
  ['draft', 'withdraw', 'withdrawn'],
  ['draft', 'expire', 'expired'],
  ['activated', 'suspend', 'suspended'],
  ['activated', 'revoke', 'revoked'],
  ['activated', 'expire', 'expired'],
  ['activated', 'supersede', 'superseded'],
  ['suspended', 'resume', 'activated'],
  ['suspended', 'revoke', 'revoked'],
  ['suspended', 'expire', 'expired'],
  ['suspended', 'supersede', 'superseded'],
];

const reservation: readonly [ReservationState, ReservationEvent, ReservationState][] = [
  ['reserved', 'settle', 'settled'],
  ['reserved', 'release', 'released'],
  ['reserved', 'stick', 'stuck'],
  ['stuck', 'settle', 'settled'],
  ['stuck', 'release', 'released'],
];

const to = <State, Event>(table: readonly [State, Event, State][], state: State, event: Event) =>
  table.find(([from, on]) => from === state && on === event)?.[2];

describe('the states of a delegation', () => {
  for (const state of delegationStates) {
    for (const event of delegationEvents) {
      const next = to(delegation, state, event);
      it(`${state}, on ${event}: ${next ?? 'refused'}`, () => {
        expect(nextDelegationState(state, event)).to.equal(next);
      });
    }
  }

  it('I-060, I-061, I-076 end for good: nothing leaves a rejected, withdrawn, expired, revoked or superseded one', () => {
    for (const state of ['rejected', 'withdrawn', 'expired', 'revoked', 'superseded'] as const) {
      for (const event of delegationEvents) expect(nextDelegationState(state, event)).to.equal(undefined);
    }
  });

  it('I-160 are all reached from a draft, and each that has not ended can end', () => {
    expect(reachedFrom('draft', delegationEvents)).to.have.members([...delegationStates]);
    for (const state of ['draft', 'activated', 'suspended'] as const) {
      expect(nextDelegationState(state, 'expire')).to.equal('expired');
    }
  });

  it('I-164 never gain power by what one person does alone', () => {
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
      const next = to(reservation, state, event);
      it(`${state}, on ${event}: ${next ?? 'refused'}`, () => {
        expect(reservationTransitions[event][state]).to.equal(next);
      });
    }
  }

  it('I-073 are left once: what is settled or released can be neither a second time', () => {
    for (const state of ['settled', 'released'] as const) {
      for (const event of reservationEvents) expect(reservationTransitions[event][state]).to.equal(undefined);
    }
  });

  it('I-080 an outcome that nobody knows neither settles nor releases', () => {
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
