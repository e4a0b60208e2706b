import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { isIn, mayReach, type Networks } from './network-address.ts';

export type UrlFault = 'url_invalid' | 'url_not_https' | 'url_with_credentials' | 'address_refused';

/**
 * What is wrong with an address that others chose; undefined where nothing is. Plain HTTP goes only to a literal address
 * of a network that the configuration lets in. A name is looked up, and what it stands for looked at, at each connection.
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

/** A name stands for an address that may not be reached. */
export class AddressRefused extends Error {
  readonly code = 'address_refused';
}

/** How a name is looked up; every address that it stands for. */
export type Resolve = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const resolveName: Resolve = (name, done) => lookup(name, { all: true }, done);

/**
 * Connections to addresses that others chose. A name is looked up once a connection, which goes to the very addresses that
 * were looked at: all of them may be reached, or none is. It follows no redirects. What `urlFault` refuses is not asked.
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
        return done(new AddressRefused(`${name} stands for an address that may not be reached`), '');
      }
      return all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}
