import type { AuthorityRefusal } from '../../delegations/approval.ts';
import { batchTransitions, type BatchEvent, type BatchState } from './batch-states.ts';

/**
 * The state of the pre-trade controls of a batch now. `not_evaluated` also applies to controls that were
 * evaluated for other orders.
 */
export type ControlsState = 'passed' | 'failed' | 'not_evaluated' | 'expired';

export type BatchFacts = {
  state: BatchState;
  importedBy: string;
  controls: ControlsState;
  /** The versions of the rules and the calendar that the controls were evaluated with, and the active versions. */
  measuredBy: string | null;
  rulesInForce: string;
  /** The Merkle root of the current orders, and the approved root. */
  root: string;
  approvedRoot: string | null;
};

export type BatchRefusal =
  | 'transition_not_allowed'
  | 'controls_not_passed'
  | 'second_person_required'
  | 'control_rules_changed'
  | 'approval_void';

/** The changes that a person can request. `evaluate` runs the pre-trade controls. */
export const batchChanges = ['evaluate', 'approve', 'release', 'cancel'] as const;
export type BatchChange = (typeof batchChanges)[number];

export type BatchVerdict = { ok: true; next: BatchState } | { ok: false; code: BatchRefusal };

/**
 * Decides whether a person may change a batch. The person who imported the batch can neither approve nor release it.
 * Approval and release need controls that passed for exactly these orders and have not expired. A release also needs an
 * approval of exactly these orders, and controls that were evaluated with the active rules: an order that newer rules
 * forbid is not released.
 */
export function decideBatch(
  { state, importedBy, controls, measuredBy, rulesInForce, root, approvedRoot }: BatchFacts,
  event: Exclude<BatchEvent, 'progress'>,
  person: string,
): BatchVerdict {
  const found = batchTransitions[event].find(([from]) => from === state);
  if (!found) return { ok: false, code: 'transition_not_allowed' };
  if (event === 'approve' || event === 'release') {
    if (person === importedBy) return { ok: false, code: 'second_person_required' };
    if (controls !== 'passed') return { ok: false, code: 'controls_not_passed' };
    if (event === 'release' && measuredBy !== rulesInForce)
      return { ok: false, code: 'control_rules_changed' };
    if (event === 'release' && approvedRoot !== root) return { ok: false, code: 'approval_void' };
  }
  return { ok: true, next: found[1] };
}

/**
 * The results of the checks after `decideBatch` has allowed a change, in this order: the authority of the
 * person, the authority of the approver, the policies. A check that was not made is omitted.
 */
export type BatchSupport = {
  authority?: { ok: true } | { ok: false; code: AuthorityRefusal; detail: string };
  approval?: { ok: true } | { ok: false; code: string; detail: string };
  answer?: { ok: true } | { ok: false; detail: string };
};

export type BatchChangeVerdict =
  | { ok: true; next: BatchState }
  | {
      ok: false;
      code: BatchRefusal | AuthorityRefusal | 'orders_changed' | 'policy_denied';
      /** The refusal in words, for the person. */
      why?: string;
    };

/** Decides whether an allowed change is also covered by the authorities and, for a release, by the policies. */
export function decideSupported(
  ruling: BatchChangeVerdict,
  { authority, approval, answer }: BatchSupport,
): BatchChangeVerdict {
  if (!ruling.ok) return ruling;
  if (authority?.ok === false) return { ok: false, code: authority.code, why: authority.detail };
  if (approval?.ok === false) {
    const { code, detail } = approval;
    return { ok: false, code: 'approval_void', why: detail ? `${code}: ${detail}` : code };
  }
  if (answer?.ok === false) return { ok: false, code: 'policy_denied', why: answer.detail };
  return ruling;
}
