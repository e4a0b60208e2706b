import { inTenant } from '#lib/database/orm.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import type { InputOf, Outcome, TenantCommand } from '#lib/governance/command.ts';
import { governWithin } from '#lib/governance/govern.ts';
import type { Backend } from './backends.ts';

/** Carries out a command as a person, in the caller's transaction, at a time that the test sets. */
export function carryOutAs<C extends TenantCommand>(
  em: Em,
  command: C,
  input: InputOf<C>,
  { tenant, person, now = new Date() }: { tenant: Tenant; person: string; now?: Date },
): Promise<Outcome<C>> {
  const actor = { kind: 'person' as const, uid: person };
  // `place` must be a tenant, because the command is a tenant command. The compiler cannot infer this type.
  return governWithin(em, command, input, { actor, place: tenant, clock: { now: () => now } } as never);
}

/** Works like `carryOutAs`, in a transaction of the operator. */
export function governAsPerson<C extends TenantCommand>(
  backend: Pick<Backend, 'orm'>,
  command: C,
  input: InputOf<C>,
  by: { tenant: Tenant; person: string; now?: Date },
): Promise<Outcome<C>> {
  return inTenant(backend.orm('operator'), by.tenant, (em) => carryOutAs(em, command, input, by));
}
