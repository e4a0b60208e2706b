import { unnamed } from '#lib/audit/entry.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Refusal } from '#lib/core/refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import type {
  AnyCommand,
  Denied,
  Done,
  InputOf,
  Outcome,
  PlaceOf,
  TenantCommand,
  WorkspaceCommand,
} from '#lib/governance/command.ts';
import { govern, governOrRefuse, type Request } from '#lib/governance/govern.ts';
import { provenPerson as proven, unprovenPerson, type ProofMeans } from '#lib/access/prove-person.command.ts';
import { proofOf, type GovernedOptions } from './governed.ts';
import { asOperator, type Operator } from './operator.ts';

/**
 * Carries out a command as the person named by the options. Throws the refusal of the command. `input` may be
 * a function of the operator, for an input that needs the configuration, such as a key.
 */
export function governAs<C extends TenantCommand>(
  command: C,
  input: InputOf<C> | ((operator: Operator) => InputOf<C>),
  options: GovernedOptions,
): Promise<Done<C>> {
  return asOperator((operator) => {
    const given = typeof input === 'function' ? (input as (of: Operator) => InputOf<C>)(operator) : input;
    return governBy(operator, command, given, provenPerson(operator, options));
  });
}

/** Works like `governAs`, but `prove` determines the person. */
export function governProven<C extends AnyCommand>(
  command: C,
  input: InputOf<C>,
  prove: (means: ProofMeans) => Request<PlaceOf<C>>['actor'],
): Promise<Done<C>> {
  return asOperator((operator) => governBy(operator, command, input, prove(proofOf(operator))));
}

/**
 * Carries out a command that an operator gives without naming a person. Throws the refusal of the command.
 */
export function governUnnamed<C extends AnyCommand>(command: C, input: InputOf<C>): Promise<Done<C>> {
  return asOperator((operator) => governBy(operator, command, input, unnamed));
}

/** Carries out a command as the person named by `--as` or the owner of the workspace. No code is required. */
export function governNamed<C extends WorkspaceCommand>(
  command: C,
  input: InputOf<C>,
  { as }: GovernedOptions,
): Promise<Done<C>> {
  return asOperator((operator) => governBy(operator, command, input, unprovenPerson(as)));
}

/**
 * Works like `governAs`, for an adapter that keeps the database open after the transaction, or that
 * determines the actor itself. `refuse` adds text to a refusal.
 */
export function governBy<C extends AnyCommand>(
  { orm }: Pick<Operator, 'orm'>,
  command: C,
  input: InputOf<C>,
  actor: Request<PlaceOf<C>>['actor'],
  refuse?: (denied: Denied<C>) => Refusal,
): Promise<Done<C>> {
  return governOrRefuse(orm, command, input, { clock: systemClock, actor }, refuse);
}

/** Works like `governBy`, for an adapter that presents the refusal itself. */
export function outcomeBy<C extends AnyCommand>(
  { orm }: Pick<Operator, 'orm'>,
  command: C,
  input: InputOf<C>,
  actor: Request<PlaceOf<C>>['actor'],
): Promise<Outcome<C>> {
  return govern(orm, command, input, { clock: systemClock, actor });
}

/**
 * Returns the person named by the options, or the owner of the workspace. In production the person is
 * authenticated by a one-time code.
 */
export function provenPerson(operator: Operator, options: GovernedOptions): Request<Tenant>['actor'] {
  return proven(proofOf(operator), options);
}
