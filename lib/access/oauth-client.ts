import { randomBase62, SECRET_LENGTH } from './secret.ts';

const SECRET_PREFIX = 'svc_cs_';

/** Returns a new client secret with 256 random bits. */
export function newClientSecret(): string {
  return SECRET_PREFIX + randomBase62(SECRET_LENGTH);
}

/**
 * Returns the scopes granted to a client (RFC 6749, section 3.3): the requested scopes that its application holds and
 * its workspace is entitled to. If the client requests no scopes, returns all scopes that its application holds and its
 * workspace is entitled to.
 */
export function grantedScopes(
  requested: readonly string[] | undefined,
  held: readonly string[],
  entitled: readonly string[],
): string[] {
  const possible = held.filter((scope) => entitled.includes(scope));
  return requested ? possible.filter((scope) => requested.includes(scope)) : possible;
}
