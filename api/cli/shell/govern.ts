import type { Actor } from '#lib/audit/entry.ts';
import { systemClock } from '#lib/core/clock.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import type {
  AnyCommand,
  Denied,
  Done,
  InputOf,
  Place,
  PlaceOf,
  TenantCommand,
} from '#lib/governance/command.ts';
import type { BodyFault } from '#lib/governance/governed/kind.ts';
import { govern, type Request } from '#lib/governance/govern.ts';
import { governingPerson, type GovernedOptions } from '../governed.ts';
import { asOperator, type Operator } from '../operator.ts';
import { actingPerson } from '../options.ts';

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

/**
 * As `governAs`, for an adapter that goes on after the transaction, or whose actor is found in another way. `refuse` says
 * more of a refusal than its sentence.
 */
export async function governBy<C extends AnyCommand>(
  { orm }: Pick<Operator, 'orm'>,
  command: C,
  input: InputOf<C>,
  actor: Request<PlaceOf<C>>['actor'],
  refuse: (denied: Denied<C>) => Refusal = refusalOf,
): Promise<Done<C>> {
  const outcome = await govern(orm, command, input, { clock: systemClock, actor });
  if (!outcome.ok) throw refuse(outcome as Denied<C>);
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

/** The person that `--as` names, or the owner of the workspace, for a change that takes no one-time code. */
export function namedPerson(as: string | undefined): Request<Place & { workspace: string }>['actor'] {
  return async (em, { workspace }) => ({
    kind: 'person',
    uid: (await actingPerson(em, workspace, as)).uid,
  });
}

/** What a refused command ends with. */
export function refusalOf(outcome: { code: string; detail: string; faults?: readonly BodyFault[] }): Refusal {
  return outcome.faults ? invalidBody(outcome.faults) : new Refusal(outcome.code, outcome.detail);
}

/** The refusal of a document with faults: each of them by its pointer. */
export function invalidBody(faults: readonly BodyFault[]): Refusal {
  return new Refusal(
    faults.length === 1 ? faults[0]!.code : 'invalid_body',
    faults.map(({ pointer, message }) => `${pointer || '/'} ${message}`).join('; '),
  );
}
