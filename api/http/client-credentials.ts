import type { Context } from 'koa';
import { Problem } from '#lib/core/problem.ts';
import { invalidRequest } from './form.ts';

export type ClientCredentials = { id: string; secret: string; isBasic: boolean };

/**
 * Reads the id and the secret of an OAuth client from `Authorization: Basic` or from the body. In the header,
 * the id and the secret are form-encoded before base64 (RFC 6749, 2.3.1). Refuses a request with credentials in both.
 */
export function clientCredentials(ctx: Context, body: Readonly<Record<string, string>>): ClientCredentials {
  const header = ctx.get('authorization');
  const { client_id: id, client_secret: secret } = body;
  if (header === '') {
    if (id === undefined || secret === undefined) {
      throw new Problem('invalid_client', 'Send client_id and client_secret, in the body or as HTTP Basic.');
    }
    return { id, secret, isBasic: false };
  }
  if (secret !== undefined)
    throw invalidRequest('Send the client secret either in the header or in the body, not in both.');
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header) ?? [];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) throw invalidRequest('The Authorization header must use the Basic scheme.');
  const basic = {
    id: formDecoded(text.slice(0, colon)),
    secret: formDecoded(text.slice(colon + 1)),
    isBasic: true,
  };
  if (id !== undefined && id !== basic.id)
    throw invalidRequest('The body names a different client from the header.');
  return basic;
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRequest('The client id or secret is not form-encoded.');
  }
}
