import type { Actor } from '#lib/audit/entry.ts';
import { systemClock } from '#lib/core/clock.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Environment, Query, Tenant } from '#lib/database/base.ts';
import type {
  AnyCommand,
  Done,
  InputOf,
  Place,
  PlaceOf,
  TenantCommand,
  WorkspaceCommand,
} from '#lib/governance/command.ts';
import type { BodyFault } from '#lib/governance/governed/kind.ts';
import { govern, type Request } from '#lib/governance/govern.ts';
import { ownerOf } from '#lib/workspace/named-person.query.ts';
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

/** Carries out a command as the person that `--as` names or an active owner of the workspace: no code is asked for. */
export function governNamed<C extends WorkspaceCommand>(
  command: C,
  input: InputOf<C>,
  { as }: GovernedOptions,
): Promise<Done<C>> {
  return asOperator((operator) => governBy(operator, command, input, namedPerson(as)));
}

/** As `governAs`, for an adapter that goes on after the transaction, or whose actor is found in another way. */
export async function governBy<C extends AnyCommand>(
  operator: Pick<Operator, 'orm'>,
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

/**
 * As `provenPerson`, for changes to a whole workspace, which no environment tells whether a code is asked for. Nobody acts
 * by name where the change is to no workspace.
 */
export function provenInWorkspace(
  operator: Operator,
  options: GovernedOptions,
  environmentOf: Environment | Query<[workspace: string], Environment> = 'sandbox',
): Request['actor'] {
  return async (em, { workspace }) => {
    if (workspace === undefined) return unnamed;
    const environment =
      typeof environmentOf === 'string' ? environmentOf : await environmentOf(em, workspace);
    const { uid } = await governingPerson(em, operator, { workspace, environment }, options);
    return { kind: 'person', uid };
  };
}

/** The person that `--as` names, or an active owner of the workspace: for changes that need no code. */
export function namedPerson(as: string | undefined): Request<Tenant | { workspace: string }>['actor'] {
  return async (em, { workspace }) => {
    const { uid } = await actingPerson(em, workspace, as);
    return { kind: 'person', uid };
  };
}

/** As `namedPerson`; nobody by name where the workspace has no owner, as importing market data needs no authority. */
export function namedPersonIfAny(as: string | undefined): Request<{ workspace: string }>['actor'] {
  return async (em, place) => {
    const uid =
      as === undefined
        ? await ownerOf(em, place.workspace)
        : (await actingPerson(em, place.workspace, as)).uid;
    return uid === undefined ? unnamed : { kind: 'person', uid };
  };
}

/** The same actor for several changes of one command: a one-time code is shown once. */
export function sameActor<P extends Place>(actor: Request<P>['actor']): Request<P>['actor'] {
  let known: Promise<Actor> | undefined;
  return (em, place) => (known ??= Promise.resolve(typeof actor === 'function' ? actor(em, place) : actor));
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
