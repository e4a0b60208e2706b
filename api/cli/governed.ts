import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { encryptionKey } from '#lib/core/encryption.ts';
import type { Environment, Em } from '#lib/database/base.ts';
import type { Person } from '#lib/workspace/person.entity.ts';
import { lockControl } from '#lib/governance/governed/control-lock.repository.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { isUnderCodes, useCode, type CodeCheck } from '#lib/workspace/person-code.repository.ts';
import { LOCK_MINUTES, WRONG_CODES_MAX } from '#lib/workspace/code-lock.ts';
import type { Operator } from './operator.ts';
import { actingPerson, activePerson } from './options.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { record } from './record.ts';

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
  const outcome = await spendCode(operator, person.uid, code);
  if (outcome === 'not_enrolled') {
    throw new Refusal(
      'person_not_enrolled',
      `${person.name} has no one-time codes: assay person enrol ${person.uid}`,
    );
  }
  if (outcome !== 'right') {
    throw new Refusal('code_invalid', 'the one-time code is missing, not of this time, or was used before');
  }
  return person;
}

/**
 * Who makes another person able to act: makes, enrols or reinstates them. Where one-time codes are in use it is an
 * enrolled person, who proves to be there; before that it is whoever is named, or nobody. Nobody else is made able to act
 * in the workspace before the transaction ends.
 */
export async function personMaker(
  em: Em,
  operator: Operator,
  workspace: string,
  options: GovernedOptions,
): Promise<Person | undefined> {
  await lockControl(em, workspace, 'change');
  if (!(await isUnderCodes(em, workspace))) {
    return options.as === undefined ? undefined : activePerson(em, workspace, options.as);
  }
  return governingPerson(em, operator, { workspace, environment: 'production' }, options);
}

/**
 * Uses up a code in a transaction of its own: it has been shown, and stays used or counted if what it was for is refused.
 * Throws a `Refusal` with the code `code_locked` while no code of the person counts.
 */
export async function spendCode(
  operator: Operator,
  person: string,
  code: string | undefined,
): Promise<Exclude<CodeCheck['outcome'], 'locked'>> {
  const check = await inPlatform(operator.orm, async (em) => {
    const found = await useCode(em, person, code, keyOf(operator), systemClock.now());
    if (found.outcome === 'wrong' && found.locks) {
      const { workspace, locks } = found;
      const details = { wrong_codes: WRONG_CODES_MAX, until: locks.toISOString() };
      await record(em, {
        op: 'person.code_locked',
        workspace,
        subject: { type: 'person', uid: person },
        details,
      });
    }
    return found;
  });
  if (check.outcome !== 'locked') return check.outcome;
  throw new Refusal(
    'code_locked',
    `${WRONG_CODES_MAX} wrong one-time codes within ${LOCK_MINUTES} minutes; no code counts until ${check.until.toISOString()}`,
  );
}

/** What encrypts the secrets of this deployment. */
export function keyOf({ config, databaseUrl }: Operator): Buffer {
  return encryptionKey(config.ENCRYPTION_KEY, decodeURIComponent(new URL(databaseUrl).password));
}
