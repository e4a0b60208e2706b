import type { Budgets } from '#lib/actions/delegations/terms.ts';
import type { WindowUse } from '#lib/actions/delegations/windows.ts';
import type { PinnedNode } from '#lib/actions/delegations/quorum.ts';

export type Refused = { ok: false; code: string };
export type Draft = { nodes: readonly PinnedNode[]; budgets: Budgets };

/**
 * The operations on delegations, implemented by rules in memory or by a server. The drafting application, the
 * persons and the terms are defined in `world.ts`. Persons keep their authority until it is ended.
 */
export type DelegationBackend = {
  create(draft: Draft): Promise<{ ok: true; uid: string } | Refused>;
  /** Casts the vote of the person for whom an application acts. */
  approve(uid: string, application: string): Promise<{ ok: true; isActivated: boolean } | Refused>;
  /** Casts the vote of a person, through the operators' command line, to reinstate a suspended delegation. */
  resume(uid: string, person: string): Promise<{ ok: true; isActivated: boolean } | Refused>;
  reject(uid: string, person: string): Promise<{ ok: true } | Refused>;
  suspend(uid: string): Promise<{ ok: true } | Refused>;
  revoke(uid: string): Promise<{ ok: true } | Refused>;
  endAuthority(person: string): Promise<void>;
  authorize(uid: string, amount: number): Promise<{ ok: true; reservation: string } | Refused>;
  settle(reservation: string, actual: number): Promise<{ ok: true } | Refused>;
  release(reservation: string): Promise<{ ok: true } | Refused>;
  /** Returns the used amounts of the current day and month. */
  usage(uid: string): Promise<Record<'day' | 'month', WindowUse>>;
  moveTo(now: Date): Promise<void>;
};
