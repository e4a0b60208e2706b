/*
 * The controls of an evidence pack.
 *
 * - The **population** of a control is the entries of the period that the control applies to.
 * - An entry is **not evaluated** if the log does not contain the entries to compare it with.
 * - A control is never satisfied if no entry was tested.
 */

/** The parts of an audit entry that controls read. */
export type ControlEntry = {
  index: number;
  leafHash: string;
  op: string;
  subject: string;
  actor: string | null;
  actorKind: string;
};

type Check =
  /** The condition that the actor differs from the actors of the earlier operations on the same subject. */
  | { kind: 'second_person'; before: readonly string[] }
  /** The condition that the recorded actor is a person. */
  | { kind: 'person' }
  /** The condition that one of the earlier operations is on the same subject. */
  | { kind: 'preceded'; before: readonly string[] };

export type Control = {
  key: string;
  title: string;
  statement: string;
  /** The operations that the control applies to. Refused operations are ignored. */
  ops: readonly string[];
  check: Check;
};

const governedKinds = [
  'authority',
  'graph',
  'policy',
  'binding',
  'role',
  'membership',
  'connector',
  'action',
  'identity',
  'identity_ceiling',
  'ceiling',
  'tolerance_profile',
  'settlement_calendar',
  'pre_trade_rules',
];

function about(what: string): string[] {
  return governedKinds.map((kind) => `${kind}.${what}`);
}

export const controls: readonly Control[] = [
  {
    key: 'delegation_activation_independent',
    title: 'Delegations are activated by an application that did not draft them',
    statement: 'No application activated a delegation that the same application had drafted.',
    ops: ['delegation.activated'],
    check: { kind: 'second_person', before: ['delegation.drafted'] },
  },
  {
    key: 'governed_records_second_person',
    title: 'Records that grant authority are approved by a second person',
    statement: 'No person activated a record that the same person had drafted or submitted.',
    ops: about('activated'),
    check: { kind: 'second_person', before: [...about('drafted'), ...about('submitted')] },
  },
  {
    key: 'production_access_second_person',
    title: 'Production access is approved by a second person',
    statement: 'No person approved production access that the same person had requested.',
    ops: ['production_access.approved'],
    check: { kind: 'second_person', before: ['production_access.requested'] },
  },
  {
    key: 'order_batch_second_person',
    title: 'Order batches are approved by a second person',
    statement: 'No person approved an order batch that the same person had imported.',
    ops: ['batch.approved'],
    check: { kind: 'second_person', before: ['batch.imported'] },
  },
  {
    key: 'exception_waiver_second_person',
    title: 'Exceptions are waived by two persons',
    statement: 'No person waived an exception whose waiver the same person had requested.',
    ops: ['exception.waived'],
    check: { kind: 'second_person', before: ['exception.waiver_requested'] },
  },
  {
    key: 'model_approval_second_person',
    title: 'Numeric models are approved by a person who is not their author',
    statement: 'No person approved a version of a model that the same person had written.',
    ops: ['lqm.approved'],
    check: { kind: 'second_person', before: ['lqm.version_written'] },
  },
  {
    key: 'retraining_review_second_person',
    title: 'Retraining is decided by a person who did not request it',
    statement: 'No person approved a retraining that the same person had requested.',
    ops: ['lqm.retraining_approved'],
    check: { kind: 'second_person', before: ['lqm.retraining_requested'] },
  },
  {
    key: 'qlm_version_second_person',
    title: 'Question models are approved by a person who is not their author',
    statement: 'No person approved a version of a question model that the same person had written.',
    ops: ['qlm.approved'],
    check: { kind: 'second_person', before: ['qlm.version_written', 'qlm.rebound'] },
  },
  {
    key: 'qlm_served_evaluated',
    title: 'Question models are evaluated before they answer',
    statement: 'No version of a question model was approved before an evaluation of this version.',
    ops: ['qlm.approved'],
    check: { kind: 'preceded', before: ['qlm.evaluated'] },
  },
  {
    key: 'credential_attributed',
    title: 'Credentials are issued and rotated by persons',
    statement: 'The log names a person for every credential that was issued or rotated.',
    ops: ['key.issued', 'oauth_client.issued', 'oauth_client.rotated'],
    check: { kind: 'person' },
  },
];

/** The result of testing the entries of a population. */
export type Tested = {
  population: number;
  tested: number;
  passed: number;
  failed: number;
  not_evaluated: number;
  /** Entries to inspect: failed entries first, then the newest. */
  observed: readonly ControlEntry[];
};

/** The maximum number of entries shown with their proofs: failed entries, and other entries. */
export const OBSERVED_FAILED_MAX = 20;
const OBSERVED_OTHERS = 3;

/**
 * Tests a control on the entries of its population. `history` holds the earlier entries of the same subjects,
 * in any order.
 */
export function testControl(
  { check }: Control,
  population: readonly ControlEntry[],
  history: readonly ControlEntry[],
): Tested {
  const bySubject = Map.groupBy(history, ({ subject }) => subject);
  const verdicts = population.map((entry) => ({
    entry,
    verdict: verdictOn(check, entry, bySubject.get(entry.subject) ?? []),
  }));
  const count = (wanted: Verdict) => verdicts.filter(({ verdict }) => verdict === wanted).length;
  const [passed, failed] = [count('passed'), count('failed')];
  const failures = verdicts.filter(({ verdict }) => verdict === 'failed').slice(0, OBSERVED_FAILED_MAX);
  const others = verdicts.filter(({ verdict }) => verdict !== 'failed').slice(-OBSERVED_OTHERS);
  return {
    population: population.length,
    tested: passed + failed,
    passed,
    failed,
    not_evaluated: population.length - passed - failed,
    observed: [...failures, ...others].map(({ entry }) => entry),
  };
}

type Verdict = 'passed' | 'failed' | 'not_evaluated';

/** Returns the verdict on one entry. `history` must contain only entries of the same subject. */
function verdictOn(check: Check, entry: ControlEntry, history: readonly ControlEntry[]): Verdict {
  if (check.kind === 'person') return entry.actorKind === 'person' ? 'passed' : 'failed';
  const before = history.filter(({ op, index }) => index < entry.index && check.before.includes(op));
  if (check.kind === 'preceded') return before.length > 0 ? 'passed' : 'failed';
  const known = before.filter(({ actor }) => actor !== null);
  if (entry.actor === null || known.length === 0) return 'not_evaluated';
  return known.every(({ actor }) => actor !== entry.actor) ? 'passed' : 'failed';
}

export const controlResults = ['satisfied', 'not_satisfied', 'not_evaluated'] as const;
export type ControlResult = (typeof controlResults)[number];

/**
 * Returns the result of a control. One failed entry is enough for the control to fail. If no entry was tested, the
 * result is `not_evaluated`.
 */
export function resultOf({
  failed,
  not_evaluated,
  tested,
}: Pick<Tested, 'failed' | 'not_evaluated' | 'tested'>): ControlResult {
  if (failed > 0) return 'not_satisfied';
  return tested === 0 || not_evaluated > 0 ? 'not_evaluated' : 'satisfied';
}
