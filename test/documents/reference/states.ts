import { applicationEvents, applicationStatuses, decideApplication } from '#lib/access/application.ts';
import { decideFreeze } from '#lib/access/freeze.ts';
import { decidePerson, personEvents, personStates } from '#lib/access/person.ts';
import {
  decideProductionAccess,
  productionAccessEvents,
  productionAccessStates,
} from '#lib/access/production-access.ts';
import { delegationEvents, delegationStates, nextDelegationState } from '#lib/actions/delegations/states.ts';
import {
  reservationEvents,
  reservationStates,
  reservationTransitions,
} from '#lib/actions/delegations/windows.ts';
import { batchEvents, batchStates, batchTransitions } from '#lib/actions/execution/batch/batch-states.ts';
import {
  exceptionEvents,
  exceptionStates,
  exceptionTransitions,
} from '#lib/actions/execution/exceptions/exception-decision.ts';
import { decideWithdrawal, obligationStates } from '#lib/actions/obligations/obligation.ts';
import { conflictDecisions, conflictStates, decideConflict } from '#lib/governance/evidence-conflict.ts';
import { governedEvents, governedStates, governedTransitions } from '#lib/governance/governed/states.ts';
import { decideLqm, lqmStates } from '#lib/models/registry/lqm.ts';
import { decideRetraining, retrainingStates } from '#lib/models/training/retraining-review.ts';
import { decideRun, runStates } from '#lib/pipeline/run.ts';
import { nextScheduleState, scheduleStates } from '#lib/workflows/schedule-states.ts';
import { decideVersion, versionEvents, versionStates } from '#lib/workflows/version-states.ts';
import { code, page, table } from './markdown.ts';

/** The pure rule of a record: it returns the states to which an event may lead. */
type Machine = {
  name: string;
  file: string;
  /** Explains the events whose names do not explain themselves. */
  note?: string;
  states: readonly string[];
  events: readonly string[];
  next: (state: never, event: never) => readonly string[];
};

type Verdict = { ok: true; next?: string } | { ok: false };

const allowed = (verdict: Verdict) => (verdict.ok && verdict.next !== undefined ? [verdict.next] : []);

/** Returns a rule that looks up the states in a table of transitions. */
const pairs =
  (transitions: Readonly<Record<string, readonly (readonly [string, string])[]>>) =>
  (state: string, event: string): string[] =>
    transitions[event]!.filter(([from]) => from === state).map(([, to]) => to);

const NOW = new Date('2026-01-01T00:00:00Z');

/** The rules of the page. Each is applied to every state and event, by persons whom the rule allows. */
const machines: readonly Machine[] = [
  {
    name: 'Run',
    file: 'lib/pipeline/run.ts',
    states: runStates,
    events: ['start', 'succeed', 'fail', 'cancel'],
    next: (state, event) => allowed(decideRun(state, event)),
  },
  {
    name: 'Delegation',
    file: 'lib/actions/delegations/states.ts',
    states: delegationStates,
    events: delegationEvents,
    next: (state, event) => [nextDelegationState(state, event) ?? []].flat(),
  },
  {
    name: 'Reservation',
    file: 'lib/actions/delegations/windows.ts',
    note: '`stick` occurs if no outcome is reported before the lease of the reservation ends, or if the reported amount is above the reserved amount.',
    states: reservationStates,
    events: reservationEvents,
    next: (state, event) => [reservationTransitions[event][state] ?? []].flat(),
  },
  {
    name: 'Governed record',
    file: 'lib/governance/governed/states.ts',
    states: governedStates,
    events: governedEvents,
    next: pairs(governedTransitions),
  },
  {
    name: 'Order batch',
    file: 'lib/actions/execution/batch/batch-states.ts',
    states: batchStates,
    events: batchEvents,
    next: pairs(batchTransitions),
  },
  {
    name: 'Reconciliation exception',
    file: 'lib/actions/execution/exceptions/exception-decision.ts',
    note: 'Later evidence triggers `clear`. Persons request the other events.',
    states: exceptionStates,
    events: exceptionEvents,
    next: pairs(exceptionTransitions),
  },
  {
    name: 'Obligation',
    file: 'lib/actions/obligations/obligation.ts',
    states: obligationStates,
    events: ['withdraw'],
    next: (state) => allowed(decideWithdrawal(state)),
  },
  {
    name: 'Evidence conflict',
    file: 'lib/governance/evidence-conflict.ts',
    states: conflictStates,
    events: conflictDecisions,
    next: (state, event) =>
      allowed(decideConflict({ state, isLive: true, open: 1, proposers: [] }, event, 'resolver')),
  },
  {
    name: 'Person',
    file: 'lib/access/person.ts',
    states: personStates,
    events: personEvents,
    next: (state, event) => allowed(decidePerson(state, event, { state: 'active', self: false })),
  },
  {
    name: 'Application',
    file: 'lib/access/application.ts',
    states: applicationStatuses,
    events: applicationEvents,
    next: (state, event) => allowed(decideApplication(state, event)),
  },
  {
    name: 'Production access of an application',
    file: 'lib/access/production-access.ts',
    states: ['none', ...productionAccessStates],
    events: productionAccessEvents,
    next: (state, event) =>
      allowed(decideProductionAccess({ state, requestedBy: 'one', requestedAt: NOW }, event, 'other', NOW)),
  },
  {
    name: 'Financial actions of a workspace',
    file: 'lib/access/freeze.ts',
    states: ['active', 'frozen'],
    events: ['freeze', 'thaw'],
    next: (state, event) => allowed(decideFreeze({ state, frozenBy: 'one' }, event, 'other')),
  },
  {
    name: 'Version of a numeric model',
    file: 'lib/models/registry/lqm.ts',
    states: lqmStates,
    events: ['approve', 'retire'],
    next: (state, event) =>
      allowed(
        decideLqm({ state, author: 'one', passed: true, serves: false, superseded: false }, event, 'other'),
      ),
  },
  {
    name: 'Request to retrain a model',
    file: 'lib/models/training/retraining-review.ts',
    states: retrainingStates,
    events: ['approve', 'reject'],
    next: (state, event) =>
      allowed(decideRetraining({ state, author: 'one', requester: 'two' }, event, 'other')),
  },
  {
    name: 'Version of a workflow',
    file: 'lib/workflows/version-states.ts',
    states: versionStates,
    events: versionEvents,
    next: (state, event) => allowed(decideVersion({ state, proposedBy: 'one' }, event, 'other')),
  },
  {
    name: 'Schedule of a workflow',
    file: 'lib/workflows/schedule-states.ts',
    states: scheduleStates,
    events: ['suspend', 'resume', 'remove'],
    next: (state, event) => [nextScheduleState(state, event) ?? []].flat(),
  },
];

/**
 * Returns the page of all transitions: for every rule, each event with the state before the event and the
 * state after it.
 */
export function statesPage(): string {
  return page(
    'State tables',
    'Each table is computed from the pure rule in the file that it names. A cell is the state after the event. An empty cell means that the event is refused. `unchanged` means that the event is accepted and has no further effect. The tables do not show the checks of persons, times and amounts.',
    ...machines.flatMap(({ name, file, note, states, events, next }) => [
      `## ${name}`,
      `Rule: [\`${file}\`](../../${file}).${note ? ` ${note}` : ''}`,
      table(
        ['From', ...events.map(code)],
        states.map((state) => [
          code(state),
          ...events.map((event) =>
            next(state as never, event as never)
              .map(code)
              .join(', '),
          ),
        ]),
      ),
    ]),
  );
}
