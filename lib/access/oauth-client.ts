import { randomBase62, SECRET_LENGTH } from './secret.ts';

const SECRET_PREFIX = 'svc_cs_';

/** A new client secret: 256 bits of chance. */
export function newClientSecret(): string {
  return SECRET_PREFIX + randomBase62(SECRET_LENGTH);
}

/**
 * The scopes that a client is given (RFC 6749, section 3.3): those it asks for that its application holds and its
 * workspace is entitled to; all of these where it asks for none in particular.
 */
export function grantedScopes(
  requested: readonly string[] | undefined,
  held: readonly string[],
  entitled: readonly string[],
): string[] {
  const possible = held.filter((scope) => entitled.includes(scope));
  return requested ? possible.filter((scope) => requested.includes(scope)) : possible;
}
