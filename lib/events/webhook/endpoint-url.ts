import { isIP } from 'node:net';
import { isIn, mayReach, type Networks } from '#lib/core/network-address.ts';

export type UrlFault = 'url_invalid' | 'url_not_https' | 'url_with_credentials' | 'address_refused';

/**
 * What is wrong with the address of a webhook; undefined where nothing is. Plain HTTP goes only to a literal address of a
 * network that the configuration lets in. A name is looked up, and what it stands for looked at, when events are sent.
 */
export function urlFault(text: string, networks: Networks): UrlFault | undefined {
  if (!URL.canParse(text) || text.length > 2_000) return 'url_invalid';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'url_invalid';
  if (url.username !== '' || url.password !== '') return 'url_with_credentials';
  const literal = literalIn(url);
  if (literal !== undefined && !mayReach(literal, networks)) return 'address_refused';
  if (url.protocol === 'http:' && (literal === undefined || !isIn(networks, literal))) return 'url_not_https';
  return undefined;
}

/** The address where the host is one and no name. */
function literalIn({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}
