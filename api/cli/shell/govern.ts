import type { Actor } from '#lib/audit/entry.ts';
import { systemClock } from '#lib/core/clock.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import type { AnyCommand, Done, InputOf, PlaceOf, TenantCommand } from '#lib/governance/command.ts';
import type { BodyFault } from '#lib/governance/governed/kind.ts';
import { govern, type Request } from '#lib/governance/govern.ts';
import { governingPerson, type GovernedOptions } from '../governed.ts';
import { asOperator, type Operator } from '../operator.ts';

/** Carries out a command as the person that the options name. Throws its refusal. */
export function governAs<C extends TenantCommand>(
  command: C,
  input: InputOf<C>,
  options: GovernedOptions,
): Promise<Done<C>> {
  return asOperator((operator) => governBy(operator, command, input, provenPerson(operator, options)));
}

/** Carries out a command that an operator gives without a name. Throws its refusal. */
export function governUnnamed<C extends AnyCommand>(command: C, input: InputOf<C>): Promise<Done<C>> {
  return asOperator((operator) => governBy(operator, command, input, unnamed));
}

/** As `governAs`, for an adapter that goes on after the transaction, or whose actor is found in another way. */
export async function governBy<C extends AnyCommand>(
  operator: Operator,
  command: C,
  input: InputOf<C>,
  actor: Request<PlaceOf<C>>['actor'],
): Promise<Done<C>> {
  const outcome = await govern(operator.orm, command, input, { clock: systemClock, actor });
  if (!outcome.ok) throw refusalOf(outcome);
  return outcome as Done<C>;
}

/** An operator who acts as nobody by name. */
export const unnamed: Actor = { kind: 'system' };

/** The person that the options name, or the owner of the workspace; proven by a one-time code in production. */
export function provenPerson(operator: Operator, options: GovernedOptions): Request<Tenant>['actor'] {
  return async (em, place) => {
    const { uid } = await governingPerson(em, operator, place, options);
    return { kind: 'person', uid };
  };
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
  return new Refusal(
    faults.length === 1 ? faults[0]!.code : 'invalid_body',
    faults.map(({ pointer, message }) => `${pointer || '/'} ${message}`).join('; '),
  );
}
