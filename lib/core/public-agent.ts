import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { isIn, mayReach, type Networks } from './network-address.ts';

export type UrlFault = 'url_invalid' | 'url_not_https' | 'url_with_credentials' | 'address_refused';

/**
 * Returns why a URL from a customer is refused, or undefined if the URL is acceptable. Plain HTTP is allowed
 * only if the host is an IP address in a configured network. Host names are not resolved here: they are
 * resolved and checked at each connection.
 */
export function urlFault(text: string, networks: Networks): UrlFault | undefined {
  if (!URL.canParse(text) || text.length > 2_000) return 'url_invalid';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'url_invalid';
  if (url.username !== '' || url.password !== '') return 'url_with_credentials';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const literal = isIP(host) === 0 ? undefined : host;
  if (literal !== undefined && !mayReach(literal, networks)) return 'address_refused';
  const isLetIn = literal !== undefined && isIn(networks, literal);
  return url.protocol === 'http:' && !isLetIn ? 'url_not_https' : undefined;
}

/** Reports that a name resolves to an address that may not be reached. */
export class AddressRefused extends Error {
  readonly code = 'address_refused';
}

/** A function that resolves a name to all its addresses. */
export type Resolve = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const resolveName: Resolve = (name, done) => lookup(name, { all: true }, done);

/**
 * Creates an agent that connects to URLs from customers. A name is resolved once per connection, and the connection
 * uses only the addresses that were checked. If one of the addresses may not be reached, no connection is made. The
 * agent follows no redirects. It does not check an IP address in a URL, so the caller must first check each URL with
 * `urlFault`.
 */
export function openPublicAgent(
  networks: Networks,
  { timeoutMs, resolve = resolveName }: { timeoutMs: number; resolve?: Resolve },
): Agent {
  return new Agent({
    connect: { lookup: pinned(networks, resolve), timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}

function pinned(networks: Networks, resolve: Resolve): LookupFunction {
  return (name, { all }, done) => {
    resolve(name, (error, addresses) => {
      if (error) return done(error, '');
      if (addresses.length === 0 || !addresses.every(({ address }) => mayReach(address, networks))) {
        return done(new AddressRefused(`${name} resolves to an address that may not be reached`), '');
      }
      return all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}
