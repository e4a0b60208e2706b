import { LockMode } from '@mikro-orm/core';
import { encrypt } from '#lib/core/encryption.ts';
import { rewrap, type KeyChange } from '#lib/core/rewrap.ts';
import type { Em } from '#lib/database/base.ts';
import { newCodeSecret } from './one-time-code.ts';
import type { Person } from './person.entity.ts';
import { PersonCode } from './person-code.entity.ts';
import { ProductionAccess } from './production-access.entity.ts';

/**
 * Gives a person a new secret, which replaces an older one. The secret is in the answer and nowhere else in clear. A lock
 * stays until its time is over.
 */
export async function storePersonCode(em: Em, person: Person, key: Buffer, now: Date): Promise<string> {
  const secret = newCodeSecret();
  const sealedSecret = encrypt(secret, key, person.uid);
  const code = await em.findOne(PersonCode, { personUid: person.uid }, { filters: false, refresh: true });
  if (code) em.assign(code, { sealedSecret, lastStep: 0, enrolledAt: now });
  else {
    const { uid: personUid, workspaceUid } = person;
    const unused = { lastStep: 0, wrongAt: [], lockedUntil: null };
    em.create(PersonCode, { personUid, workspaceUid, sealedSecret, enrolledAt: now, ...unused });
  }
  return secret;
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
