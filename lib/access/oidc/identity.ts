import type { Environment } from '#lib/database/base.ts';
import type { PersonState } from '../person.ts';

/** The states of an identity. In production, only an identity that a second person confirmed can sign in. */
export type IdentityState = 'linked' | 'confirmed' | 'removed';

/** The largest number of identities of a person that are not removed. */
export const IDENTITIES_MAX = 5;

export type LinkVerdict =
  | { ok: true }
  | { ok: false; code: 'person_not_active' | 'identities_full' | 'identity_in_use' };

/** Decides whether an identity can be linked to a person. It must not be linked to a person of any workspace. */
export function decideLink({
  personState,
  count,
  isInUse,
}: {
  personState: PersonState;
  /** The number of identities of the person that are not removed. */
  count: number;
  isInUse: boolean;
}): LinkVerdict {
  if (personState !== 'active') return { ok: false, code: 'person_not_active' };
  if (isInUse) return { ok: false, code: 'identity_in_use' };
  return count < IDENTITIES_MAX ? { ok: true } : { ok: false, code: 'identities_full' };
}

/** The facts of an identity with its person. */
export type IdentityFacts = {
  state: IdentityState;
  personUid: string;
  linkedByUid: string;
  personState: PersonState;
};

export type ConfirmationVerdict =
  | { ok: true }
  | { ok: false; code: 'identity_not_linked' | 'identity_own' | 'person_not_active' };

/**
 * Decides whether a person can confirm an identity. Neither the person concerned nor the person who linked it can, so
 * that one person alone gives nobody an identity that signs in to production.
 */
export function decideIdentityConfirmation(
  { state, personUid, linkedByUid, personState }: IdentityFacts,
  by: string,
): ConfirmationVerdict {
  if (state !== 'linked') return { ok: false, code: 'identity_not_linked' };
  if (by === personUid || by === linkedByUid) return { ok: false, code: 'identity_own' };
  return personState === 'active' ? { ok: true } : { ok: false, code: 'person_not_active' };
}

export type SignInVerdict =
  | { ok: true }
  | { ok: false; code: 'identity_unknown' | 'identity_unconfirmed' | 'person_not_active' };

/** Decides whether an identity opens a session in an environment. */
export function decideSignIn(
  { state, personState }: Pick<IdentityFacts, 'state' | 'personState'>,
  environment: Environment,
): SignInVerdict {
  if (state === 'removed') return { ok: false, code: 'identity_unknown' };
  if (personState !== 'active') return { ok: false, code: 'person_not_active' };
  const isConfirmed = state === 'confirmed' || environment === 'sandbox';
  return isConfirmed ? { ok: true } : { ok: false, code: 'identity_unconfirmed' };
}
