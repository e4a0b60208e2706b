import type { AuthorityRefusal } from '../../delegations/approval.ts';
import { batchTransitions, type BatchEvent, type BatchState } from './batch-states.ts';

/** What the controls of a batch say now. What expired, or was computed for other orders, has not passed. */
export type ControlsState = 'passed' | 'failed' | 'not_evaluated' | 'expired';

export type BatchFacts = {
  state: BatchState;
  importedBy: string;
  controls: ControlsState;
  /** The versions of the rules and the calendar that the controls were measured by, and those in force. */
  measuredBy: string | null;
  rulesInForce: string;
  /** The root over the orders as they are, and the one that was approved. */
  root: string;
  approvedRoot: string | null;
};

export type BatchRefusal =
  | 'transition_not_allowed'
  | 'controls_not_passed'
  | 'second_person_required'
  | 'control_rules_changed'
  | 'approval_void';

/** What a person asks for; the controls of a batch pass or fail when it is evaluated. */
export const batchChanges = ['evaluate', 'approve', 'release', 'cancel'] as const;
export type BatchChange = (typeof batchChanges)[number];

export type BatchVerdict = { ok: true; next: BatchState } | { ok: false; code: BatchRefusal };

/**
 * Whether a person may do something to a batch. Who imported it neither approves nor releases it; both need controls
 * that passed for exactly these orders and have not expired, and a release needs an approval of exactly these orders, and
 * controls by the rules in force: what they forbid since is not released.
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

/** What is asked once the rule allows a change: authorities of who decides and of who approved, then the policies. */
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
      /** What exactly refused it. */
      why?: string;
    };

/** Whether a change happens that the rule allows: the authorities, and for a release the policies, allow it too. */
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
