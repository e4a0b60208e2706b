import { systemClock, type Clock } from '#lib/core/clock.ts';
import type { Done, InputOf, Outcome, TenantCommand } from '#lib/governance/command.ts';
import { govern } from '#lib/governance/govern.ts';
import type { Backend } from './backends.ts';

/** Carries out a command as a person through the operators' command line. */
export function governAs<C extends TenantCommand>(
  backend: Pick<Backend, 'orm'>,
  person: string,
  command: C,
  input: InputOf<C>,
  clock: Clock = systemClock,
): Promise<Outcome<C>> {
  return govern(backend.orm('operator'), command, input, { actor: { kind: 'person', uid: person }, clock });
}

/** Works like `governAs`, and expects that the change is allowed. */
export async function doneAs<C extends TenantCommand>(
  backend: Pick<Backend, 'orm'>,
  person: string,
  command: C,
  input: InputOf<C>,
): Promise<Done<C>> {
  const outcome = await governAs(backend, person, command, input);
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.detail}`);
  return outcome as Done<C>;
}
