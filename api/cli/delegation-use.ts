import { InvalidArgumentError, type Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { authorize, type Authorized } from '#lib/actions/delegation/authorize.repository.ts';
import type { ExecutionMode } from '#lib/actions/delegation/terms.ts';
import { Delegation } from '#lib/actions/delegation/delegation.entity.ts';
import { endReservation } from '#lib/actions/delegation/outcome.repository.ts';
import type { Outcome, OutcomeRefusal } from '#lib/actions/delegation/windows.ts';
import { askForUse } from '#lib/actions/delegation/questions.repository.ts';
import { Reservation } from '#lib/actions/delegation/reservation.entity.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { asOperator } from './operator.ts';
import { checkText, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { Refusal } from '#lib/core/refusal.ts';

type AuthorizeOptions = OutputOptions &
  GovernedOptions & {
    amountMinor: number;
    reference?: string;
    action?: string;
    counterparty?: number;
    connector?: string;
    currency?: string;
    mode?: ExecutionMode;
    obligation?: string;
  };

/** What a machine does with its delegation: ask, and say what came of it. */
export function registerUse(group: Command): void {
  withPerson(withJson(group.command('authorize <delegation>')))
    .description('ask whether the machine may do something now, and reserve the amount')
    .requiredOption('--amount-minor <integer>', 'in minor units', integer)
    .option('--reference <word>', 'the same word again is the same action')
    .option('--action <action>', 'what it wants to do (default: that of the delegation)')
    .option('--counterparty <id>', 'with whom', integer)
    .option('--connector <key>', 'through what')
    .option('--currency <code>', 'in which currency')
    .option('--mode <mode>', 'in which execution mode')
    .option('--obligation <uid>', 'on which obligation')
    .action(async (uid: string, options: AuthorizeOptions) => {
      const outcome = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const found = await em.findOne(Delegation, { uid }, { filters: false });
          if (!found) throw new Refusal('delegation_unknown', `there is no delegation ${uid}`);
          const tenant = { workspace: found.workspaceUid, environment: found.environment };
          const person = await governingPerson(em, operator, tenant, options);
          const { terms } = found;
          const envelope = {
            action: options.action ?? terms.action,
            counterparty_id: options.counterparty ?? terms.counterparty_id,
            connector: options.connector ?? terms.connector,
            currency: options.currency ?? terms.currency,
            execution_mode: options.mode ?? terms.execution_mode,
            amount_minor: options.amountMinor,
            obligation_uid: options.obligation ?? null,
          };
          return authorize(em, {
            tenant,
            uid,
            reference: options.reference ?? newUid(prefixes.request),
            actor: { kind: 'person', uid: person.uid },
            clock: systemClock,
            envelope,
            ask: askForUse(em, tenant, envelope),
          });
        }),
      );
      if (!outcome.ok) throw new Refusal(outcome.code, why(outcome));
      const { reservation, decision, isRepeated } = outcome;
      print(
        {
          authorized: true,
          dry_run: reservation === null,
          reservation_uid: reservation?.uid ?? null,
          state: reservation?.state ?? null,
          amount_minor: options.amountMinor,
          lease_until: reservation?.leaseUntil.toISOString() ?? null,
          policy_decision_uid: decision?.uid ?? reservation?.decisionUid ?? null,
          repeated: isRepeated,
        },
        options,
      );
    });
  const settle = group.command('settle <reservation>').description('say what was done, and free the rest');
  settle.requiredOption('--actual-minor <integer>', 'what was settled, in minor units', integer);
  registerOutcome(settle, ({ actualMinor, evidence }) => ({
    event: 'settle',
    actual: BigInt(actualMinor!),
    evidence: evidence ?? null,
  }));
  const release = group
    .command('release <reservation>')
    .description('say that nothing was done, and free all');
  registerOutcome(release, ({ evidence }) => ({ event: 'release', evidence: evidence ?? null }));
  withJson(group.command('reservations <delegation>'))
    .description('list what was authorized, newest first')
    .action(async (uid: string, options: OutputOptions) => {
      const found = await asOperator((operator) =>
        operator.everywhere((em) =>
          em.find(
            Reservation,
            { delegationUid: uid },
            { filters: false, orderBy: { uid: 'desc' }, limit: 200 },
          ),
        ),
      );
      printRows(found.map(present), options);
    });
}

type OutcomeOptions = OutputOptions & GovernedOptions & { actualMinor?: number; evidence?: string };

function registerOutcome(command: Command, outcomeOf: (options: OutcomeOptions) => Outcome): void {
  command.option('--evidence <text>', 'what shows it; needed for what is stuck');
  withPerson(withJson(command)).action(async (uid: string, options: OutcomeOptions) => {
    const ended = await asOperator((operator) =>
      operator.everywhere(async (em) => {
        if (options.evidence !== undefined) checkText('--evidence', options.evidence);
        const found = await em.findOne(Reservation, { uid }, { filters: false });
        if (!found) throw new Refusal('reservation_unknown', `there is no reservation ${uid}`);
        const tenant = { workspace: found.workspaceUid, environment: found.environment };
        const person = await governingPerson(em, operator, tenant, options);
        const actor = { kind: 'person' as const, uid: person.uid };
        return endReservation(em, { uid, outcome: outcomeOf(options), actor, now: systemClock.now() });
      }),
    );
    if (!ended.ok) throw new Refusal(ended.code, outcomes[ended.code]);
    print(present(ended.reservation), options);
  });
}

const outcomes: Record<OutcomeRefusal | 'reservation_unknown', string> = {
  reservation_unknown: 'there is no such reservation',
  reservation_ended: 'it has ended already',
  settled_above_reservation: 'more was settled than reserved: it stays reserved, as an exception',
  amount_not_positive: 'what was settled is at least 1',
  full_settlement_required: 'more was told to be settled than was reserved: it is settled at its full amount',
  evidence_required: 'it is stuck: --evidence names what shows its outcome',
};

function present(reservation: Reservation) {
  const { uid, reference, state, amount, settled, leaseUntil, exception, offered, evidence } = reservation;
  return {
    uid,
    reference,
    state,
    amount_minor: Number(amount),
    settled_minor: settled === null || settled === undefined ? null : Number(settled),
    lease_until: leaseUntil.toISOString(),
    exception: exception ?? null,
    offered_minor: offered === null || offered === undefined ? null : Number(offered),
    evidence: evidence ?? null,
  };
}

/** The clause that failed, with the nearest bound. */
function why(outcome: Extract<Authorized, { ok: false }>): string {
  const { ok: _, code, ...more } = outcome;
  if ('answer' in more) return `the policies deny it: ${JSON.stringify(more.answer.decision)}`;
  const bounds = Object.entries(more).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return bounds.length ? bounds.join(', ') : `it is refused: ${code.replaceAll('_', ' ')}`;
}

function integer(text: string): number {
  const number = Number(text);
  if (!/^-?\d{1,16}$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('it takes an integer');
  return number;
}
