import { LockMode } from '@mikro-orm/core';
import { encrypt } from '#lib/core/encryption.ts';
import { rewrap, type KeyChange } from '#lib/core/rewrap.ts';
import type { Em } from '#lib/database/base.ts';
import { LOCK_MINUTES } from './code-lock.ts';
import { newCodeSecret } from './one-time-code.ts';
import type { Person } from './person.entity.ts';
import { PersonCode } from './person-code.entity.ts';
import { ProductionAccess } from './production-access.entity.ts';

/**
 * Stores a new secret for a person and replaces an earlier secret. Only the return value contains the secret
 * in clear text. If the person is locked, the lock remains until its end.
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

/** Lists the persons of a workspace who were locked by wrong codes since a time, with the end of their lock. */
export async function personsLockedSince(
  em: Em,
  workspace: string,
  since: Date,
): Promise<{ uid: string; until: Date }[]> {
  const lockedUntil = { $gte: new Date(since.getTime() + LOCK_MINUTES * 60_000) };
  const codes = await em.find(
    PersonCode,
    { workspaceUid: workspace, lockedUntil },
    { filters: false, orderBy: { personUid: 'asc' } },
  );
  return codes.map(({ personUid: uid, lockedUntil: until }) => ({ uid, until: until! }));
}

/**
 * Encrypts the secrets of all one-time codes with another key. Skips secrets that already use this key.
 * Returns the changed records.
 */
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
 * Whether a workspace requires a one-time code from the person who creates, enrols or reinstates another person. The
 * requirement applies from the first enrolled person on, and while any production access is approved. It does not end
 * when all enrolled persons are suspended or have departed. Otherwise, an attacker could suspend these persons and then
 * create new ones.
 */
export async function isUnderCodes(em: Em, workspace: string): Promise<boolean> {
  const place = { workspaceUid: workspace };
  const all = { filters: false } as const;
  if (await em.count(PersonCode, place, all)) return true;
  return (await em.count(ProductionAccess, { ...place, state: 'approved' }, all)) > 0;
}
