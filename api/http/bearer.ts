import type { Context } from 'koa';
import { hasToken } from '#lib/core/token.ts';
import { Problem } from '#lib/core/problem.ts';

const IN_QUERY = new Set([
  'access_token',
  'api_key',
  'apikey',
  'token',
  'client_secret',
  'key',
  'authorization',
]);

/** The bearer token of a request (RFC 6750, section 2.1). One in the address is refused: addresses end up in logs. */
export function presentedToken(ctx: Context): string {
  refuseInQuery(ctx);
  const [, token] = /^Bearer +(\S+)$/i.exec(ctx.get('authorization')) ?? [];
  if (token) return token;
  throw new Problem('credential_required', 'Send `Authorization: Bearer <API key or access token>`.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="assay"' },
  });
}

/** Refuses a credential in the address, by the name of the parameter or by the form of its value. */
export function refuseInQuery(ctx: Context): void {
  if (ctx.querystring === '') return;
  for (const [name, values] of Object.entries(ctx.query)) {
    const looksSecret = [values].flat().some((value) => hasToken(value ?? ''));
    if (!looksSecret && !IN_QUERY.has(name.toLowerCase())) continue;
    throw new Problem(
      'credential_in_query',
      'Credentials belong into the Authorization header. Replace this one.',
      {
        headers: { 'WWW-Authenticate': 'Bearer realm="assay", error="invalid_request"' },
      },
    );
  }
}
