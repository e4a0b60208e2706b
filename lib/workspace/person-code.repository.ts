import { LockMode } from '@mikro-orm/core';
import { decrypt, encrypt } from '#lib/core/encryption.ts';
import { rewrap, type KeyChange } from '#lib/core/rewrap.ts';
import type { Em } from '#lib/database/base.ts';
import { isLocked, withWrongCode, type CodeAttempts } from './code-lock.ts';
import { newCodeSecret, stepOfCode } from './one-time-code.ts';
import type { Person } from './person.entity.ts';
import { PersonCode } from './person-code.entity.ts';
import { ProductionAccess } from './production-access.entity.ts';

export type CodeCheck =
  | { outcome: 'right' | 'not_enrolled' | 'missing' }
  /** `locks` where it was one too many, so that no code counts until then. */
  | { outcome: 'wrong'; workspace: string; locks: Date | null }
  | { outcome: 'locked'; until: Date };

/**
 * Gives a person a new secret, which replaces an older one. The secret is in the answer and nowhere else in clear. A lock
 * stays until its time is over.
 */
export async function enrol(em: Em, person: Person, key: Buffer, now: Date): Promise<string> {
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

/**
 * Checks a person's code in the caller's transaction: a right one is used up, a wrong one is counted, and no code counts
 * while they are locked. Attempts at once come one after the other.
 */
export async function useCode(
  em: Em,
  person: string,
  code: string | undefined,
  key: Buffer,
  now: Date,
): Promise<CodeCheck> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const enrolled = await em.findOne(PersonCode, { personUid: person }, { filters: false, lockMode });
  if (!enrolled) return { outcome: 'not_enrolled' };
  const attempts = attemptsOf(enrolled);
  if (isLocked(attempts, now.getTime())) return { outcome: 'locked', until: enrolled.lockedUntil! };
  if (code === undefined) return { outcome: 'missing' };
  const secret = decrypt(enrolled.sealedSecret, key, person);
  const step = stepOfCode(secret, code, now, enrolled.lastStep);
  if (step !== undefined) {
    enrolled.lastStep = step;
    return { outcome: 'right' };
  }
  const counted = withWrongCode(attempts, now.getTime());
  const locks = isLocked(counted, now.getTime()) ? new Date(counted.lockedUntilMs) : null;
  enrolled.wrongAt = counted.wrongAtMs.map((at) => new Date(at).toISOString());
  enrolled.lockedUntil = locks;
  return { outcome: 'wrong', workspace: enrolled.workspaceUid, locks };
}

function attemptsOf({ wrongAt, lockedUntil }: PersonCode): CodeAttempts {
  return { wrongAtMs: wrongAt.map((at) => Date.parse(at)), lockedUntilMs: lockedUntil?.getTime() ?? 0 };
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
