import { encryptionKey } from '#lib/core/encryption.ts';
import { enrolPerson } from '#lib/access/enrol-person.command.ts';
import { codeAt } from '#lib/access/one-time-code.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { operatorPassword } from '#lib/database/roles.ts';
import { governBy } from '#api/cli/shell/govern.ts';
import type { Backend } from './backends.ts';
import { handsOf } from './governed.ts';

const STEP_MS = 30_000;

/**
 * Enrols a person for one-time codes that count in production, as if a second person of the workspace had confirmed them.
 * Returns the secret of the codes.
 */
export async function enrolledSecret(
  backend: Pick<Backend, 'orm' | 'ownerUrl'>,
  person: string,
): Promise<string> {
  const key = encryptionKey(undefined, operatorPassword(backend.ownerUrl, {})!);
  const orm = backend.orm('operator');
  const own = { kind: 'person' as const, uid: person };
  const { result } = await governBy(handsOf(orm), enrolPerson, { person, key }, own);
  if (result.state === 'registered')
    await inPlatform(orm, (em) =>
      em.execute(
        `update person_code c set state = 'confirmed', confirmed_at = now(), confirmed_by_uid = (
           select p.uid from person p where p.workspace_uid = c.workspace_uid and p.uid <> c.person_uid
             and not exists (select from person_identity i where i.person_uid = c.person_uid and i.linked_by_uid = p.uid)
           order by p.uid limit 1)
         where person_uid = ?`,
        [person],
      ),
    );
  return result.secret;
}

/**
 * Enrols a person like `enrolledSecret`. Returns a function that returns the options with which the person proves a
 * command. It gives two codes: that of the current time step, and that of the next one, because a code is valid once.
 */
export async function enrolled(
  backend: Pick<Backend, 'orm' | 'ownerUrl'>,
  person: string,
): Promise<() => string[]> {
  const secret = await enrolledSecret(backend, person);
  let given = 0;
  return () => {
    if (given === 2) throw new Error('a person has two codes at a time');
    return ['--as', person, '--code', codeAt(secret, new Date(Date.now() + given++ * STEP_MS))];
  };
}
