import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { encryptionKey } from '#lib/core/encryption.ts';
import type { Environment } from '#lib/database/base.ts';
import type { Em } from '#lib/database/orm.ts';
import type { Person } from '#lib/workspace/person.entity.ts';
import { useCode } from '#lib/workspace/person-code.repository.ts';
import type { Operator } from './operator.ts';
import { actingPerson } from './options.ts';
import { Refusal } from './refusal.ts';

export type GovernedOptions = { as?: string; code?: string };

/** A command that changes authority: somebody by name does it and, in production, proves to be there. */
export function withPerson(command: Command): Command {
  return command
    .option('--as <person>', 'who does it (default: the owner of the workspace)')
    .option('--code <code>', "that person's one-time code; needed in production");
}

/** The person that a governed command acts as. One shell is not two persons: in production each has a code of their own. */
export async function governingPerson(
  em: Em,
  operator: Operator,
  place: { workspace: string; environment: Environment },
  { as, code }: GovernedOptions,
): Promise<Person> {
  const person = await actingPerson(em, place.workspace, as);
  if (place.environment === 'sandbox' && code === undefined) return person;
  const check = await useCode(em, person.uid, code, keyOf(operator), systemClock.now());
  if (check === 'not_enrolled') {
    throw new Refusal(
      'person_not_enrolled',
      `${person.name} has no one-time codes: assay person enrol ${person.uid}`,
    );
  }
  if (check === 'wrong') {
    throw new Refusal('code_invalid', 'the one-time code is missing, not of this time, or was used before');
  }
  return person;
}

/** What encrypts the secrets of this deployment. */
export function keyOf({ config, databaseUrl }: Operator): Buffer {
  return encryptionKey(config.ENCRYPTION_KEY, decodeURIComponent(new URL(databaseUrl).password));
}
