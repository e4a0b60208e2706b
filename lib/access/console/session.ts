import type { PersonState } from '../person.ts';

/** The way in which a person opened a session: a sign-in link, a passkey, or the identity provider. */
export type SessionProof = 'link' | 'passkey' | 'oidc';

/** How long a sign-in link is valid, in minutes. */
export const LINK_MINUTES = 15;
/** How long a session may stay open without a request, in minutes. */
export const IDLE_MINUTES = 15;
/** How long a session may last in total, in hours. */
export const SESSION_HOURS = 8;

/** The facts of a sign-in link that `decideOpening` reads, with the state of its person. */
export type LinkFacts = { expiresAt: Date; usedAt: Date | null; personState: PersonState };

export type OpeningVerdict =
  | { ok: true }
  | { ok: false; code: 'link_used' | 'link_expired' | 'person_not_active' };

/**
 * Decides whether a link opens a session. A link opens a session only once, only before the link expires, and only for
 * an active person.
 */
export function decideOpening(
  { expiresAt, usedAt, personState }: LinkFacts,
  { now }: { now: Date },
): OpeningVerdict {
  if (usedAt !== null) return { ok: false, code: 'link_used' };
  if (expiresAt <= now) return { ok: false, code: 'link_expired' };
  return personState === 'active' ? { ok: true } : { ok: false, code: 'person_not_active' };
}
