import { decrypt, encrypt } from '#lib/core/encryption.ts';
import { newCodeSecret } from '../one-time-code.ts';

/** The person and the session to which the console offers a secret, and the key that encrypts secrets of codes. */
type Offer = { person: string; sessionHash: string; key: Buffer };

/**
 * Returns a new secret for one-time codes, in clear text and encrypted for the form of this session. The secret is stored
 * when the person sends the form back with a code of the authenticator.
 */
export function offerCodes(offer: Offer): { secret: string; sealed: string } {
  const secret = newCodeSecret();
  return { secret, sealed: encrypt(secret, offer.key, aboutOf(offer)) };
}

/** Returns the secret of a form; undefined unless this session offered it. */
export function offeredSecret(sealed: string | undefined, offer: Offer): string | undefined {
  if (sealed === undefined) return undefined;
  try {
    return decrypt(sealed, offer.key, aboutOf(offer));
  } catch {
    return undefined;
  }
}

function aboutOf({ person, sessionHash }: Offer): string {
  return `codes offered to ${person} in ${sessionHash}`;
}
