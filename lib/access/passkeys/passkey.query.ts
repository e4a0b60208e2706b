import { LockMode } from '@mikro-orm/core';
import type { Em, Environment } from '#lib/database/base.ts';
import { Passkey } from './passkey.entity.ts';
import { canSign } from './passkey.ts';

/** Returns the passkeys of a person that are not removed, newest first. */
export function passkeysOf(em: Em, personUid: string): Promise<Passkey[]> {
  return em.find(
    Passkey,
    { personUid, state: { $ne: 'removed' } },
    { filters: false, orderBy: { registeredAt: 'desc' } },
  );
}

/** Returns the passkeys of a person that can sign in an environment. */
export async function signingPasskeysOf(
  em: Em,
  personUid: string,
  environment: Environment,
): Promise<Passkey[]> {
  return (await passkeysOf(em, personUid)).filter((passkey) => canSign(passkey, environment));
}

/** Reads a passkey by the id of its credential and locks it. */
export function lockPasskey(em: Em, credentialId: string): Promise<Passkey | null> {
  return em.findOne(Passkey, { credentialId }, { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE });
}
