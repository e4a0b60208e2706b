import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import { PersonIdentity } from './identity.entity.ts';

/** Returns the identities of a person that are not removed, newest first. */
export function identitiesOf(em: Em, personUid: string): Promise<PersonIdentity[]> {
  return em.find(
    PersonIdentity,
    { personUid, state: { $ne: 'removed' } },
    { filters: false, orderBy: { linkedAt: 'desc' } },
  );
}

/** Returns the persons who linked an identity to a person, also one that was removed. */
export async function linkersOf(em: Em, personUid: string): Promise<string[]> {
  const identities = await em.find(PersonIdentity, { personUid }, { filters: false });
  return identities.map(({ linkedByUid }) => linkedByUid);
}

/** Reads the identity of a subject that is not removed, and locks it. */
export function lockIdentity(em: Em, issuer: string, subject: string): Promise<PersonIdentity | null> {
  return em.findOne(
    PersonIdentity,
    { issuer, subject, state: { $ne: 'removed' } },
    { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}
