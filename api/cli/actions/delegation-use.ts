import { InvalidArgumentError, type Command } from 'commander';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Denied } from '#lib/governance/command.ts';
import { envelopeOf } from '#lib/actions/delegations/authorize.ts';
import { authorizeUse } from '#lib/actions/delegations/authorize-use.command.ts';
import { findDelegationAnywhere, listReservations } from '#lib/actions/delegations/delegation.query.ts';
import { endReservation } from '#lib/actions/delegations/end-reservation.command.ts';
import type { ExecutionMode } from '#lib/actions/delegations/terms.ts';
import type { Outcome } from '#lib/actions/delegations/windows.ts';
import type { Reservation } from '#lib/actions/delegations/reservation.entity.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { ask, asOperator } from '../shell/operator.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { governAs, governBy, provenPerson } from '../shell/govern.ts';

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

const LIST_MAX = 200;

/** Registers the commands by which a machine uses its delegation: authorize, settle and release. */
export function registerUse(group: Command): void {
  withPerson(withJson(group.command('authorize <delegation>')))
    .description('check whether the machine may act now, and reserve the amount')
    .requiredOption('--amount-minor <integer>', 'the amount, in minor units', integer)
    .option(
      '--reference <word>',
      'the idempotency key of the action: the same reference means the same action',
    )
    .option('--action <action>', 'the action (default: the action of the delegation)')
    .option('--counterparty <id>', 'the counterparty of the action', integer)
    .option('--connector <key>', 'the connector of the action')
    .option('--currency <code>', 'the currency of the action')
    .option('--mode <mode>', 'the execution mode of the action')
    .option('--obligation <uid>', 'the obligation that the action is for')
    .action(authorize);
  const settle = group
    .command('settle <reservation>')
    .description('record the amount that was settled, and free the rest of the reservation');
  settle.requiredOption('--actual-minor <integer>', 'the amount that was settled, in minor units', integer);
  registerOutcome(settle, ({ actualMinor, evidence }) => ({
    event: 'settle',
    actual: BigInt(actualMinor!),
    evidence: evidence ?? null,
  }));
  const release = group
    .command('release <reservation>')
    .description('record that the action was not executed, and free the whole reservation');
  registerOutcome(release, ({ evidence }) => ({ event: 'release', evidence: evidence ?? null }));
  withJson(group.command('reservations <delegation>'))
    .description('list the reservations, newest first')
    .action(async (uid: string, options: OutputOptions) => {
      printRows(await ask('everywhere', listReservations, uid, LIST_MAX), options, present);
    });
}

async function authorize(uid: string, options: AuthorizeOptions): Promise<void> {
  const { isRepeated, result } = await asOperator(async (operator) => {
    const found = await operator.query('everywhere', findDelegationAnywhere, uid);
    if (!found) throw new Refusal('delegation_unknown', `there is no delegation ${uid}`);
    const { counterparty: counterparty_id, mode: execution_mode, obligation: obligation_uid } = options;
    const { action, connector, currency, amountMinor: amount_minor } = options;
    const said = {
      action,
      connector,
      currency,
      counterparty_id,
      execution_mode,
      amount_minor,
      obligation_uid,
    };
    const envelope = envelopeOf(found.terms, said);
    const use = { uid, envelope, reference: options.reference ?? newUid(prefixes.request) };
    return governBy(operator, authorizeUse, use, provenPerson(operator, options), withBounds);
  });
  const { reservation, decision } = result;
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
}

/**
 * Returns the refusal with its causes in the text: the violated condition and limit, or the
 * decision of the policies.
 */
function withBounds(refused: Denied<typeof authorizeUse>): Refusal {
  const { ok: _, code, detail, isRecorded: _kept, ...more } = refused;
  const facts = 'answer' in more ? { decision: more.answer.decision } : more;
  const bounds = Object.entries(facts).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return new Refusal(code, [detail, bounds.join(', ')].filter(Boolean).join(' '));
}

type OutcomeOptions = OutputOptions & GovernedOptions & { actualMinor?: number; evidence?: string };

function registerOutcome(command: Command, outcomeOf: (options: OutcomeOptions) => Outcome): void {
  command.option('--evidence <text>', 'the evidence; required for a stuck reservation');
  withPerson(withJson(command)).action(async (uid: string, options: OutcomeOptions) => {
    if (options.evidence !== undefined) checkText('--evidence', options.evidence);
    const ended = await governAs(endReservation, { uid, outcome: outcomeOf(options) }, options);
    print(present(ended.result), options);
  });
}

function present(reservation: Reservation) {
  const { uid, reference, state, amount, settled, leaseUntil, exception, offered, evidence } = reservation;
  return {
    uid,
    reference,
    state,
    amount_minor: Number(amount),
    settled_minor: settled == null ? null : Number(settled),
    lease_until: leaseUntil.toISOString(),
    exception: exception ?? null,
    offered_minor: offered == null ? null : Number(offered),
    evidence: evidence ?? null,
  };
}

function integer(text: string): number {
  const number = Number(text);
  if (!/^-?\d{1,16}$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('takes an integer');
  return number;
}
