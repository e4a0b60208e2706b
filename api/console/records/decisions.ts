import type { Duty } from '#lib/access/console/duty.ts';
import { changeBatch } from '#lib/actions/execution/batch/change-batch.command.ts';
import type { BatchChange } from '#lib/actions/execution/batch/batch-decision.ts';
import {
  decideExecutionException,
  type ExceptionDecision,
} from '#lib/actions/execution/exceptions/decide-exception.command.ts';
import { resolveObligationConflict } from '#lib/actions/obligations/resolve-obligation-conflict.command.ts';
import { withdrawObligation } from '#lib/actions/obligations/withdraw-obligation.command.ts';
import { approveStep } from '#lib/workflows/approve-step.command.ts';
import { cancelWorkflowRun } from '#lib/workflows/cancel-run.command.ts';
import { reasonMissing, reasonOf } from '../decision.ts';
import type { Decision, DecisionCall } from '../page.ts';
import type { DecisionButton } from '../decision-form.ts';
import { html, type Html } from '../html.ts';

type Row = Readonly<Record<string, unknown>>;

/** The decisions on the records of a list: their handlers, and the form for one record. */
export type RecordDecisions = {
  readonly decisions: readonly Decision[];
  /** The messages about decisions that were made, by the name of the decision. */
  readonly done: Readonly<Record<string, string>>;
  /** Returns the buttons for a record. Without buttons, the page has no form. */
  buttons(record: Row): readonly DecisionButton[];
  readonly reason?: string;
  readonly fields?: Html;
};

const stateOf = (record: Row): string => String(record['state'] ?? record['governance_state']);

/** Returns the address after a decision: the page of the record, with a message. */
const back = ({ params }: DecisionCall, place: string, done: string) => ({
  location: `/console/${place}/${params['id']!}?done=${done}`,
});

type Ended = { ok: true } | { ok: false; code: string; detail: string };

/** Returns a decision that needs a reason and leads back to the page of the record. */
const reasoned = (
  place: string,
  name: string,
  duty: Duty,
  decide: (call: DecisionCall, id: string, reason: string) => Promise<Ended>,
): Decision => ({
  name,
  duty,
  async act(call) {
    const reason = reasonOf(call);
    if (reason === undefined) return reasonMissing;
    const outcome = await decide(call, call.params['id']!, reason);
    return outcome.ok ? back(call, place, name) : { code: outcome.code, detail: outcome.detail };
  },
});

const exceptions: RecordDecisions = {
  decisions: (['acknowledge', 'resolve', 'waive'] as const).map((event) => ({
    name: event,
    duty: 'decide' as const,
    act: (call: DecisionCall) => decideException(call, event),
  })),
  done: {
    acknowledge: 'The exception was acknowledged.',
    resolve: 'The exception was resolved.',
    waive: 'The exception was waived.',
    request: 'The waiver was requested. Another person must waive the exception too.',
  },
  buttons: (record) => {
    const state = stateOf(record);
    if (state !== 'open' && state !== 'acknowledged') return [];
    return [
      { name: 'resolve', label: 'Resolve', tone: 'primary' },
      ...(state === 'open' ? [{ name: 'acknowledge', label: 'Acknowledge' }] : []),
      { name: 'waive', label: 'Waive', tone: 'danger' },
    ];
  },
  reason: 'Reason, needed to resolve or waive',
  fields: html`<label class="grow"
    >Reference to the evidence, needed to resolve<input
      name="evidence"
      type="text"
      maxlength="200"
      autocomplete="off"
  /></label>`,
};

async function decideException(call: DecisionCall, event: ExceptionDecision) {
  const uid = call.params['id']!;
  const reason = reasonOf(call) ?? null;
  const evidence = (call.form['evidence'] ?? '').trim().slice(0, 200) || null;
  if (event !== 'acknowledge' && reason === null) return reasonMissing;
  if (event === 'resolve' && evidence === null)
    return {
      code: 'reason_required',
      detail: 'Enter a reference to the evidence. It is stored with the exception.',
    };
  const outcome = await call.decide(decideExecutionException, () => ({ uid, event, reason, evidence }));
  if (!outcome.ok) return { code: outcome.code, detail: outcome.detail };
  return back(call, 'exceptions', outcome.waitsForSecond ? 'request' : event);
}

const batchEvents = ['evaluate', 'approve', 'release', 'cancel'] as const satisfies readonly BatchChange[];

const batches: RecordDecisions = {
  decisions: batchEvents.map((event) => ({
    name: event,
    duty: 'decide' as const,
    async act(call: DecisionCall) {
      const reason = reasonOf(call);
      if (event === 'cancel' && reason === undefined) return reasonMissing;
      const outcome = await call.decide(changeBatch, () => ({ uid: call.params['id']!, event, reason }));
      if (!outcome.ok) return { code: outcome.code, detail: outcome.detail };
      return back(call, 'batches', event);
    },
  })),
  done: {
    evaluate: 'The pre-trade controls were evaluated.',
    approve: 'The orders of the batch were approved.',
    release: 'The batch was released.',
    cancel: 'The batch was cancelled.',
  },
  buttons: (record) => {
    const state = stateOf(record);
    const cancel = { name: 'cancel', label: 'Cancel the batch', tone: 'danger' as const };
    const evaluate = { name: 'evaluate', label: 'Evaluate the controls' };
    if (state === 'approved')
      return [{ name: 'release', label: 'Release', tone: 'primary' }, evaluate, cancel];
    if (state === 'controls_passed')
      return [{ name: 'approve', label: 'Approve the orders', tone: 'primary' }, evaluate, cancel];
    return state === 'drafted' || state === 'controls_failed' ? [evaluate, cancel] : [];
  },
  reason: 'Reason, needed to cancel',
};

const conflicts: RecordDecisions = {
  decisions: (['keep', 'supersede'] as const).map((decision) =>
    reasoned('conflicts', decision, 'decide', (call, conflict, reason) =>
      call.decide(resolveObligationConflict, () => ({ conflict, decision, reason })),
    ),
  ),
  done: {
    keep: 'The recorded obligation was kept.',
    supersede: 'The evidence replaced the recorded obligation.',
  },
  buttons: (record) =>
    stateOf(record) === 'open'
      ? [
          { name: 'keep', label: 'Keep the record', tone: 'primary' },
          { name: 'supersede', label: 'Replace the record', tone: 'danger' },
        ]
      : [],
  reason: 'Reason',
};

const obligations: RecordDecisions = {
  decisions: [
    reasoned('obligations', 'withdraw', 'decide', (call, uid, reason) =>
      call.decide(withdrawObligation, () => ({ uid, reason })),
    ),
  ],
  done: { withdraw: 'The obligation was withdrawn. No action uses it any more.' },
  buttons: (record) =>
    /^(registered|disputed)$/.test(stateOf(record))
      ? [{ name: 'withdraw', label: 'Withdraw permanently', tone: 'danger' }]
      : [],
  reason: 'Reason',
};

const workflows: RecordDecisions = {
  decisions: [
    reasoned('workflows', 'approve', 'decide', (call, run, reason) =>
      call.decide(approveStep, () => ({ run, reason })),
    ),
    reasoned('workflows', 'cancel', 'stop_runs', (call, run, reason) =>
      call.decide(cancelWorkflowRun, () => ({ run, reason })),
    ),
  ],
  done: { approve: 'The waiting steps were approved.', cancel: 'The run was cancelled.' },
  buttons: (record) => {
    const state = stateOf(record);
    if (/^(succeeded|failed|cancelled|timed_out|denied)$/.test(state)) return [];
    const cancel = { name: 'cancel', label: 'Cancel the run', tone: 'danger' as const };
    return state === 'waiting_approval'
      ? [{ name: 'approve', label: 'Approve the waiting steps', tone: 'primary' }, cancel]
      : [cancel];
  },
  reason: 'Reason',
};

/** The decisions on records, by the last part of the address of their list. */
export const recordDecisions: Readonly<Record<string, RecordDecisions>> = {
  exceptions,
  batches,
  conflicts,
  obligations,
  workflows,
};
