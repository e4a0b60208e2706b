import { LockMode } from '@mikro-orm/core';
import { encrypt } from '#lib/core/encryption.ts';
import { rewrap, type KeyChange } from '#lib/core/rewrap.ts';
import type { Em } from '#lib/database/base.ts';
import type { Person } from './person.entity.ts';
import { PersonCode } from './person-code.entity.ts';
import type { CodeState } from './person-code.ts';
import { ProductionAccess } from './production-access.entity.ts';

/** New codes of a person: their secret in clear text, and whether they count in production at once. */
type NewCodes = {
  secret: string;
  state: CodeState;
  linkIssuer: string | null;
  /** The time step of the code that the person has already used. */
  lastStep?: number;
};

/**
 * Stores a new secret for a person and replaces an earlier secret. If the person is locked, the lock remains until its
 * end. Returns the stored codes.
 */
export async function storePersonCode(
  em: Em,
  person: Person,
  { secret, state, linkIssuer, lastStep = 0 }: NewCodes,
  { key, now }: { key: Buffer; now: Date },
): Promise<PersonCode> {
  const sealedSecret = encrypt(secret, key, person.uid);
  const stored = { sealedSecret, state, linkIssuedByUid: linkIssuer, lastStep, enrolledAt: now };
  const code = await em.findOne(PersonCode, { personUid: person.uid }, { filters: false, refresh: true });
  if (code) {
    const isKept = state === 'confirmed' && code.state === 'confirmed';
    return em.assign(code, isKept ? stored : { ...stored, ...unconfirmed });
  }
  const { uid: personUid, workspaceUid } = person;
  const unused = { wrongAt: [], lockedUntil: null };
  return em.create(PersonCode, { personUid, workspaceUid, ...stored, ...unused, ...unconfirmed });
}

const unconfirmed = { confirmedAt: null, confirmedByUid: null };

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
 * requirement applies from the first confirmed codes of a person on, and while any production access is approved. It does not end
 * when all enrolled persons are suspended or have departed. Otherwise, an attacker could suspend these persons and then
 * create new ones.
 */
export async function isUnderCodes(em: Em, workspace: string): Promise<boolean> {
  const place = { workspaceUid: workspace };
  const all = { filters: false } as const;
  if (await hasConfirmedCodes(em, workspace)) return true;
  return (await em.count(ProductionAccess, { ...place, state: 'approved' }, all)) > 0;
}

/**
 * Whether a person of the workspace has codes that count in production. From the first ones on, one always has: the last
 * confirmed codes are neither removed nor replaced by unconfirmed ones (`hasOtherConfirmedCodes`).
 */
export async function hasConfirmedCodes(em: Em, workspaceUid: string): Promise<boolean> {
  return (await em.count(PersonCode, { workspaceUid, state: 'confirmed' }, { filters: false })) > 0;
}

/** Whether a person other than this one has codes that count in production, in the workspace of this person. */
export async function hasOtherConfirmedCodes(
  em: Em,
  { workspaceUid, personUid }: { workspaceUid: string; personUid: string },
): Promise<boolean> {
  const others = { workspaceUid, personUid: { $ne: personUid }, state: 'confirmed' as const };
  return (await em.count(PersonCode, others, { filters: false })) > 0;
}
