import { LockMode } from '@mikro-orm/core';
import { decrypt, encrypt } from '#lib/core/encryption.ts';
import { rewrap, type KeyChange } from '#lib/core/rewrap.ts';
import type { Em } from '#lib/database/orm.ts';
import { newCodeSecret, stepOfCode } from './one-time-code.ts';
import type { Person } from './person.entity.ts';
import { PersonCode } from './person-code.entity.ts';
import { ProductionAccess } from './production-access.entity.ts';

export type CodeCheck = 'right' | 'wrong' | 'not_enrolled';

/** Gives a person a new secret, which replaces an older one. The secret is in the answer and nowhere else in clear. */
export async function enrol(em: Em, person: Person, key: Buffer, now: Date): Promise<string> {
  const secret = newCodeSecret();
  const sealedSecret = encrypt(secret, key, person.uid);
  const code = await em.findOne(PersonCode, { personUid: person.uid }, { filters: false, refresh: true });
  if (code) em.assign(code, { sealedSecret, lastStep: 0, enrolledAt: now });
  else {
    const { uid: personUid, workspaceUid } = person;
    em.create(PersonCode, { personUid, workspaceUid, sealedSecret, lastStep: 0, enrolledAt: now });
  }
  return secret;
}

/** Checks a person's code and uses it up, in the caller's transaction. */
export async function useCode(
  em: Em,
  person: string,
  code: string | undefined,
  key: Buffer,
  now: Date,
): Promise<CodeCheck> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const enrolled = await em.findOne(PersonCode, { personUid: person }, { filters: false, lockMode });
  if (!enrolled) return 'not_enrolled';
  const secret = decrypt(enrolled.sealedSecret, key, person);
  const step = code === undefined ? undefined : stepOfCode(secret, code, now, enrolled.lastStep);
  if (step === undefined) return 'wrong';
  enrolled.lastStep = step;
  return 'right';
}

/** Puts the secrets of all codes under another key. Those that were not under it yet. */
export async function rewrapCodes(em: Em, change: KeyChange): Promise<PersonCode[]> {
  const codes = await em.find(
    PersonCode,
    {},
    { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { personUid: 'asc' } },
  );
  return codes.filter((code) => {
    const sealed = rewrap(code.sealedSecret, change, code.personUid);
    if (sealed !== undefined) code.sealedSecret = sealed;
    return sealed !== undefined;
  });
}

/**
 * Whether nobody is made able to act in a workspace without the code of somebody who is enrolled already: so it is from
 * the first enrolment, or approved production application, on. It stays so when all who are enrolled are suspended or
 * gone: else whoever suspends them would stand in their place.
 */
export async function isUnderCodes(em: Em, workspace: string): Promise<boolean> {
  const place = { workspaceUid: workspace };
  const all = { filters: false } as const;
  if (await em.count(PersonCode, place, all)) return true;
  return (await em.count(ProductionAccess, { ...place, state: 'approved' }, all)) > 0;
}
