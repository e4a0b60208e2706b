import type { Budgets } from '#lib/actions/delegations/terms.ts';
import type { WindowUse } from '#lib/actions/delegations/windows.ts';
import type { PinnedNode } from '#lib/actions/delegations/quorum.ts';

export type Refused = { ok: false; code: string };
export type Draft = { nodes: readonly PinnedNode[]; budgets: Budgets };

/**
 * What can be done to delegations, whatever does it: rules in memory, or a server. The drafting application, who is who
 * and the terms are those of the small world of the tests; persons have their authority until it is ended.
 */
export type DelegationBackend = {
  create(draft: Draft): Promise<{ ok: true; uid: string } | Refused>;
  /** The vote of whom an application speaks for. */
  approve(uid: string, application: string): Promise<{ ok: true; isActivated: boolean } | Refused>;
  /** The vote of a person, on the operators' surface, to give back what was suspended. */
  resume(uid: string, person: string): Promise<{ ok: true; isActivated: boolean } | Refused>;
  reject(uid: string, person: string): Promise<{ ok: true } | Refused>;
  suspend(uid: string): Promise<{ ok: true } | Refused>;
  revoke(uid: string): Promise<{ ok: true } | Refused>;
  endAuthority(person: string): Promise<void>;
  authorize(uid: string, amount: number): Promise<{ ok: true; reservation: string } | Refused>;
  settle(reservation: string, actual: number): Promise<{ ok: true } | Refused>;
  release(reservation: string): Promise<{ ok: true } | Refused>;
  /** What is used of the present day and month. */
  usage(uid: string): Promise<Record<'day' | 'month', WindowUse>>;
  moveTo(now: Date): Promise<void>;
};
