import { encryptionKey } from '#lib/core/encryption.ts';
import { enrolPerson } from '#lib/access/enrol-person.command.ts';
import { codeAt } from '#lib/access/one-time-code.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { operatorPassword } from '#lib/database/roles.ts';
import { governBy } from '#api/cli/shell/govern.ts';
import type { Backend } from './backends.ts';
import { handsOf } from './governed.ts';

const STEP_MS = 30_000;

/**
 * Enrols a person for one-time codes. Returns a function that returns the options with which the person proves a command.
 * It gives two codes: that of the current time step, and that of the next one, because a code is valid once.
 */
export async function enrolled(
  backend: Pick<Backend, 'orm' | 'ownerUrl'>,
  person: string,
): Promise<() => string[]> {
  const key = encryptionKey(undefined, operatorPassword(backend.ownerUrl, {})!);
  const { result } = await governBy(handsOf(backend.orm('operator')), enrolPerson, { person, key }, unnamed);
  let given = 0;
  return () => {
    if (given === 2) throw new Error('a person has two codes at a time');
    return ['--as', person, '--code', codeAt(result.secret, new Date(Date.now() + given++ * STEP_MS))];
  };
}
