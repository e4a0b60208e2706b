import { sha256 } from '#lib/core/seal.ts';
import type { Environment } from '#lib/database/base.ts';
import type { PersonState } from './person.ts';
import { canVouch, type Vouched } from './voucher.ts';

/** The states of one-time codes. In production, only codes that a second person confirmed prove their person. */
export type CodeState = 'registered' | 'confirmed';

/** Whether the codes of a person prove the person in an environment. */
export function provesIn({ state }: { state: CodeState }, environment: Environment): boolean {
  return state === 'confirmed' || environment === 'sandbox';
}

/**
 * Returns the text by which two persons compare codes: 16 hexadecimal characters of the SHA-256 of the encrypted secret.
 * Nobody can compute a code from it.
 */
export function fingerprintOf({ sealedSecret }: { sealedSecret: string }): string {
  return sha256(sealedSecret).slice(0, 16);
}

/** The facts of codes that wait for confirmation, with their person. */
export type WaitingCodes = Vouched & { state: CodeState; personState: PersonState; fingerprint: string };

export type CodesVerdict =
  | { ok: true }
  | { ok: false; code: 'codes_not_registered' | 'codes_own' | 'codes_changed' | 'person_not_active' };

/**
 * Decides whether a person can confirm codes. They must be the codes with the fingerprint that their person named, of
 * another, active person (`canVouch`).
 */
export function decideCodesConfirmation(facts: WaitingCodes, by: string, fingerprint: string): CodesVerdict {
  if (facts.state !== 'registered') return { ok: false, code: 'codes_not_registered' };
  if (!canVouch(facts, by)) return { ok: false, code: 'codes_own' };
  if (facts.fingerprint !== fingerprint) return { ok: false, code: 'codes_changed' };
  return facts.personState === 'active' ? { ok: true } : { ok: false, code: 'person_not_active' };
}
