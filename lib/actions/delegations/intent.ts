import type { DelegationState } from './states.ts';

/** Minutes for which an intent is valid. */
export const INTENT_MINUTES = 15;

export type IntentFacts = {
  state: DelegationState;
  /** The person whom the application is bound to. */
  boundPerson: string | undefined;
  /** The number of the node that waits for votes. */
  openNode: number | undefined;
};

export type IntentVerdict =
  | { ok: true; node: number }
  | { ok: false; code: 'delegation_not_draft' | 'approver_not_bound' | 'node_unknown' };

/** Decides whether a person can declare the intent to approve a draft, and at which node. */
export function decideIntent({ state, boundPerson, openNode }: IntentFacts, person: string): IntentVerdict {
  if (state !== 'draft') return { ok: false, code: 'delegation_not_draft' };
  if (boundPerson !== person) return { ok: false, code: 'approver_not_bound' };
  if (openNode === undefined) return { ok: false, code: 'node_unknown' };
  return { ok: true, node: openNode };
}
