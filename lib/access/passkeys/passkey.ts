import type { Environment } from '#lib/database/base.ts';
import type { PersonState } from '../person.ts';
import { canVouch, type Vouched } from '../voucher.ts';

/** The states of a passkey. In production, only a passkey that a second person confirmed can sign. */
export type PasskeyState = 'registered' | 'confirmed' | 'removed';

/** The largest number of passkeys of a person that are not removed. */
export const PASSKEYS_MAX = 10;
/** How long a challenge can be signed, in minutes. */
export const CHALLENGE_MINUTES = 5;

/** Whether a passkey can sign in an environment. */
export function canSign({ state }: { state: PasskeyState }, environment: Environment): boolean {
  return state === 'confirmed' || (state === 'registered' && environment === 'sandbox');
}

export type ConfirmationVerdict =
  | { ok: true }
  | { ok: false; code: 'passkey_not_registered' | 'passkey_own' | 'person_not_active' };

/** The facts of a passkey with its person. */
export type PasskeyFacts = Vouched & { state: PasskeyState; personState: PersonState };

/** Decides whether a person can confirm a passkey. The passkey must be of another, active person (`canVouch`). */
export function decideConfirmation(facts: PasskeyFacts, by: string): ConfirmationVerdict {
  if (facts.state !== 'registered') return { ok: false, code: 'passkey_not_registered' };
  if (!canVouch(facts, by)) return { ok: false, code: 'passkey_own' };
  return facts.personState === 'active' ? { ok: true } : { ok: false, code: 'person_not_active' };
}

/** The facts of a challenge that a decision reads. */
export type ChallengeFacts = {
  purpose: 'register' | 'sign_in' | 'decide';
  sessionHash: string | null;
  expiresAt: Date;
  usedAt: Date | null;
};

/**
 * Returns why a signed challenge is not accepted, or undefined. A challenge is accepted once, before it expires, for the
 * purpose and the session for which it was issued.
 */
export function challengeFault(
  challenge: ChallengeFacts | undefined,
  wanted: { purpose: ChallengeFacts['purpose']; sessionHash: string | null; now: Date },
): 'challenge_unknown' | 'challenge_used' | 'challenge_expired' | undefined {
  if (challenge?.purpose !== wanted.purpose || challenge.sessionHash !== wanted.sessionHash)
    return 'challenge_unknown';
  if (challenge.usedAt !== null) return 'challenge_used';
  return challenge.expiresAt <= wanted.now ? 'challenge_expired' : undefined;
}
