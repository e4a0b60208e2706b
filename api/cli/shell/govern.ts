import type { Actor } from '#lib/audit/entry.ts';
import { systemClock } from '#lib/core/clock.ts';
import { Refusal } from '#lib/core/refusal.ts';
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
import type { BodyFault } from '#lib/governance/governed/kind.ts';
import { govern, type Request } from '#lib/governance/govern.ts';
import { provenPerson as proven, unprovenPerson, type ProofMeans } from '#lib/access/prove-person.command.ts';
import { proofOf, type GovernedOptions } from '../governed.ts';
import { asOperator, type Operator } from '../operator.ts';

/**
 * Carries out a command as the person that the options name. Throws its refusal. An input that needs the configuration,
 * such as a key, is made by a function of the operator.
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

/** As `governAs`, where the person is proven in another way, or is named and shows no code. */
export function governProven<C extends AnyCommand>(
  command: C,
  input: InputOf<C>,
  prove: (means: ProofMeans) => Request<PlaceOf<C>>['actor'],
): Promise<Done<C>> {
  return asOperator((operator) => governBy(operator, command, input, prove(proofOf(operator))));
}

/** Carries out a command that an operator gives without a name. Throws its refusal. */
export function governUnnamed<C extends AnyCommand>(command: C, input: InputOf<C>): Promise<Done<C>> {
  return asOperator((operator) => governBy(operator, command, input, unnamed));
}

/** Carries out a command as the person that `--as` names or the owner of the workspace: no code is asked for. */
export function governNamed<C extends WorkspaceCommand>(
  command: C,
  input: InputOf<C>,
  { as }: GovernedOptions,
): Promise<Done<C>> {
  return asOperator((operator) => governBy(operator, command, input, unprovenPerson(as)));
}

/**
 * As `governAs`, for an adapter that goes on after the transaction, or whose actor is found in another way. `refuse` says
 * more of a refusal than its sentence.
 */
export async function governBy<C extends AnyCommand>(
  operator: Pick<Operator, 'orm'>,
  command: C,
  input: InputOf<C>,
  actor: Request<PlaceOf<C>>['actor'],
  refuse: (denied: Denied<C>) => Refusal = refusalOf,
): Promise<Done<C>> {
  const outcome = await outcomeBy(operator, command, input, actor);
  if (!outcome.ok) throw refuse(outcome as Denied<C>);
  return outcome as Done<C>;
}

/** As `governBy`, for an adapter that presents the refusal itself. */
export function outcomeBy<C extends AnyCommand>(
  { orm }: Pick<Operator, 'orm'>,
  command: C,
  input: InputOf<C>,
  actor: Request<PlaceOf<C>>['actor'],
): Promise<Outcome<C>> {
  return govern(orm, command, input, { clock: systemClock, actor });
}

/** An operator who acts as nobody by name. */
export const unnamed: Actor = { kind: 'system' };

/** The person that the options name, or the owner of the workspace; proven by a one-time code in production. */
export function provenPerson(operator: Operator, options: GovernedOptions): Request<Tenant>['actor'] {
  return proven(proofOf(operator), options);
}

/** What a refused command ends with. */
export function refusalOf({ code, detail, faults, why }: RefusedOutcome): Refusal {
  return faults ? invalidBody(faults) : new Refusal(code, why ? `${detail} ${why}` : detail);
}

type RefusedOutcome = {
  code: string;
  detail: string;
  /** What is wrong with a document. */
  faults?: readonly BodyFault[];
  /** What exactly refused it, where the verdict says more than its code. */
  why?: string;
};

/** The refusal of a document with faults: each of them by its pointer. */
export function invalidBody(faults: readonly BodyFault[]): Refusal {
  return new Refusal(faults.length === 1 ? faults[0]!.code : 'invalid_body', faultsText(faults));
}

/** The faults of a document in one line: each of them by its pointer. */
export function faultsText(faults: readonly Pick<BodyFault, 'pointer' | 'message'>[]): string {
  return faults.map(({ pointer, message }) => `${pointer || '/'} ${message}`).join('; ');
}
