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
