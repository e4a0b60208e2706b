import type { DelegationEvent, DelegationState } from '#lib/actions/delegations/states.ts';
import type { ReservationEvent, ReservationState } from '#lib/actions/delegations/windows.ts';
import type { GovernedEvent, GovernedState } from '#lib/governance/governed/states.ts';

/** Every allowed change of a delegation. */
export const delegationTable: readonly [DelegationState, DelegationEvent, DelegationState][] = [
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

/** Every allowed change of a reservation. */
export const reservationTable: readonly [ReservationState, ReservationEvent, ReservationState][] = [
  ['reserved', 'settle', 'settled'],
  ['reserved', 'release', 'released'],
  ['reserved', 'stick', 'stuck'],
  ['stuck', 'settle', 'settled'],
  ['stuck', 'release', 'released'],
];

/** Every allowed change of a governed record. */
export const governedTable: readonly [GovernedState, GovernedEvent, GovernedState][] = [
  ['draft', 'submit', 'submitted'],
  ['draft', 'withdraw', 'withdrawn'],
  ['submitted', 'approve', 'active'],
  ['submitted', 'withdraw', 'withdrawn'],
  ['active', 'suspend', 'suspended'],
  ['active', 'end', 'ended'],
  ['suspended', 'end', 'ended'],
];

/** Returns the state that a table leads to; undefined if the table lists no such change. */
export function nextIn<State, Event>(
  table: readonly (readonly [State, Event, State])[],
  state: State,
  event: Event,
): State | undefined {
  return table.find(([from, on]) => from === state && on === event)?.[2];
}
