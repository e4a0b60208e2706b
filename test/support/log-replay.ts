import {
  batchTransitions,
  type BatchEvent,
  type BatchState,
} from '#lib/actions/execution/batch/batch-states.ts';
import {
  delegationTransitions,
  type DelegationEvent,
  type DelegationState,
} from '#lib/actions/delegations/states.ts';
import {
  reservationTransitions,
  type ReservationEvent,
  type ReservationState,
} from '#lib/actions/delegations/windows.ts';
import { controlKinds } from '#lib/actions/authority/kinds.ts';
import type { AuditEntry } from '#lib/audit/entry.ts';
import type { Tenant } from '#lib/database/base.ts';
import { governedTransitions, type GovernedEvent } from '#lib/governance/governed/states.ts';
import type { Backend } from './backends.ts';
import { asSuperuser } from './rows.ts';

/**
 * The effect of an entry on one subject: it creates the subject, changes its state, or requires a state. `to`
 * is given if the event alone does not determine the new state. If the subject is in the state `unless`, the
 * entry has no effect.
 */
type Step = { type: string; uid: string } & (
  | { born: string }
  | { event: string; to?: string; unless?: string }
  | { needs: readonly string[] }
);

/**
 * A table of states in a common form: for each event, the pairs of a state before the event and the state
 * after it.
 */
type Table = Record<string, readonly (readonly [string, string])[]>;

const pairs = <Event extends string>(table: Record<Event, Partial<Record<string, string>>>): Table =>
  Object.fromEntries(
    Object.entries(table).map(([event, changes]) => [
      event,
      Object.entries(changes as Record<string, string>),
    ]),
  );

/** The transitions of obligations: a superseded or withdrawn record has ended. */
const obligationTransitions: Table = {
  conflict: [['registered', 'disputed']],
  resolve: [
    ['disputed', 'registered'],
    ['disputed', 'disputed'],
    ['disputed', 'superseded'],
    ['superseded', 'superseded'],
    ['withdrawn', 'withdrawn'],
  ],
  withdraw: [
    ['registered', 'withdrawn'],
    ['disputed', 'withdrawn'],
  ],
};

const governed = new Set(Object.values(controlKinds).map(({ kind }) => kind));
const tables: Record<string, Table> = {
  delegation: pairs<DelegationEvent>(delegationTransitions),
  reservation: pairs<ReservationEvent>(reservationTransitions),
  order_batch: batchTransitions,
  obligation: obligationTransitions,
  ...Object.fromEntries([...governed].map((kind) => [kind, governedTransitions])),
};

const delegationEvents: Record<string, DelegationEvent> = {
  activated: 'activate',
  rejected: 'reject',
  withdrawn: 'withdraw',
  suspended: 'suspend',
  resumed: 'resume',
  revoked: 'revoke',
  expired: 'expire',
  superseded: 'supersede',
};

/** Events of a delegation that do not change its state, and the states in which they are possible. */
const delegationNeeds: Record<string, readonly DelegationState[]> = {
  approval_recorded: ['draft'],
  intent_declared: ['draft'],
  vote_voided: ['draft', 'suspended', 'activated'],
  resumption_voted: ['suspended'],
  authorized: ['activated'],
};

const reservationEvents: Record<string, ReservationEvent> = {
  settled: 'settle',
  released: 'release',
  stuck: 'stick',
};

const governedEvents: Record<string, GovernedEvent> = {
  submitted: 'submit',
  withdrawn: 'withdraw',
  activated: 'approve',
  suspended: 'suspend',
  ended: 'end',
};

const batchEvents: Record<string, BatchEvent> = {
  approved: 'approve',
  released: 'release',
  cancelled: 'cancel',
  state_changed: 'progress',
  closed: 'progress',
  reopened: 'progress',
};

/**
 * Replays the entries of an audit log, in order, against the tables of states. Every recorded change must be
 * in its table, beginning at the state that the earlier entries led to. Returns the changes that are not in
 * the table, and the final states.
 */
export function replay(
  entries: readonly AuditEntry[],
  given: Readonly<Record<string, string>> = {},
): { faults: string[]; states: Map<string, string> } {
  const states = new Map(Object.entries(given));
  const faults: string[] = [];
  for (const entry of entries) {
    for (const step of stepsOf(entry)) {
      const from = states.get(step.uid);
      const fault = (why: string) => faults.push(`${entry.op} of ${step.uid} ${why}`);
      if ('born' in step) {
        if (from !== undefined) fault(`was ${from} before it began`);
        states.set(step.uid, step.born);
      } else if (from === undefined) fault('has no beginning in the log');
      else if ('needs' in step) {
        if (!step.needs.includes(from)) fault(`while it was ${from}`);
      } else if (from !== step.unless) {
        const found = tables[step.type]![step.event]!.find(
          ([before, after]) => before === from && (step.to === undefined || after === step.to),
        );
        if (!found) fault(`while it was ${from}: ${step.event}${step.to ? ` to ${step.to}` : ''}`);
        else states.set(step.uid, found[1]);
      }
    }
  }
  return { faults, states };
}

function stepsOf({ op, subject: { type, uid }, outcome, details = {} }: AuditEntry): Step[] {
  const what = op.slice(op.indexOf('.') + 1);
  // The settlement is refused, and the reservation is then stuck until a person decides.
  if (outcome.code === 'settled_above_reservation') return [{ type, uid, event: 'stick', unless: 'stuck' }];
  if (op === 'obligation.conflict') return [{ type, uid, event: 'conflict', unless: 'disputed' }];
  if (outcome.status !== 'done') return [];
  if (type === 'obligation') return obligationSteps(what, uid, details);
  if (type === 'delegation') {
    const event = delegationEvents[what];
    if (event) return [{ type, uid, event }];
    if (what === 'drafted') return [{ type, uid, born: 'draft' satisfies DelegationState }];
    const needs = delegationNeeds[what];
    if (!needs) throw new Error(`the log contains ${op}, which is unknown here`);
    const reservation = details['reservation_uid'];
    const reserved = { type: 'reservation', born: 'reserved' satisfies ReservationState };
    return [
      { type, uid, needs },
      ...(typeof reservation === 'string' ? [{ ...reserved, uid: reservation }] : []),
    ];
  }
  if (type === 'reservation') return [{ type, uid, event: reservationEvents[what]! }];
  if (type === 'order_batch') {
    if (what.endsWith('imported')) return [{ type, uid, born: 'drafted' satisfies BatchState }];
    const to = String(details['to']);
    const event = what === 'evaluated' ? (to === 'controls_passed' ? 'pass' : 'fail') : batchEvents[what];
    return event ? [{ type, uid, event, to }] : [];
  }
  if (governed.has(type)) {
    const event = governedEvents[what];
    if (event) return [{ type, uid, event }];
    if (what === 'drafted') return [{ type, uid, born: 'draft' }];
  }
  return [];
}

function obligationSteps(what: string, uid: string, details: Record<string, unknown>): Step[] {
  const type = 'obligation';
  if (what === 'registered') return [{ type, uid, born: 'registered' }];
  if (what === 'withdrawn') return [{ type, uid, event: 'withdraw' }];
  const successor = details['successor_uid'];
  return [
    { type, uid, event: 'resolve', to: String(details['to']) },
    ...(typeof successor === 'string' ? [{ type, uid: successor, born: 'registered' }] : []),
  ];
}

export type ReplayedLog = {
  entries: number;
  /** Changes in the log that no table contains. */
  faults: string[];
  /** Records whose state in the database differs from the state that the replay of the log leads to. */
  untold: string[];
};

/** Replays the log of a workspace and environment, and compares its final states with the database (I-160). */
export async function replayLog(backend: Backend, { workspace, environment }: Tenant): Promise<ReplayedLog> {
  return asSuperuser(backend, async (client) => {
    const rowsOf = async <Row>(query: string) =>
      (await client.query(query, [workspace, environment])).rows as Row[];
    const log = await rowsOf<{ entry: AuditEntry }>(
      `select body::json as entry from audit_entry where workspace_uid = $1 and environment = $2 order by id`,
    );
    const now = await rowsOf<{ uid: string; state: string; isDefault: boolean }>(
      `select uid, state, false as "isDefault" from delegation where workspace_uid = $1 and environment = $2
       union all
       select uid, state, false from reservation where workspace_uid = $1 and environment = $2
       union all
       select uid, governance_state, false from obligation where workspace_uid = $1 and environment = $2
       union all
       select uid, state, false from order_batch where workspace_uid = $1 and environment = $2
       union all
       select uid, state, drafted_by_uid is null from governed_record where workspace_uid = $1 and environment = $2`,
    );
    // The default records of a workspace are in force before the log begins, and the log has no entry for
    // them.
    const defaults = now.filter(({ isDefault }) => isDefault).map(({ uid }) => [uid, 'active']);
    const entries = log.map(({ entry }) => entry);
    const { faults, states } = replay(entries, Object.fromEntries(defaults));
    const untold = now
      .filter(({ uid, state }) => states.get(uid) !== state)
      .map(({ uid, state }) => `${uid} is ${state}, and the log says ${states.get(uid)}`);
    return { entries: entries.length, faults, untold };
  });
}
