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

/**
 * Reads the bearer token of a request (RFC 6750, section 2.1). A token in the URL is refused, because URLs
 * are logged.
 */
export function presentedToken(ctx: Context): string {
  refuseInQuery(ctx);
  const [, token] = /^Bearer +(\S+)$/i.exec(ctx.get('authorization')) ?? [];
  if (token) return token;
  throw new Problem('credential_required', 'Send `Authorization: Bearer <API key or access token>`.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="assay"' },
  });
}

/** Refuses a credential in the query string, recognised by the parameter's name or the value's form. */
export function refuseInQuery(ctx: Context): void {
  if (ctx.querystring === '') return;
  for (const [name, values] of Object.entries(ctx.query)) {
    const looksSecret = [values].flat().some((value) => hasToken(value ?? ''));
    if (!looksSecret && !IN_QUERY.has(name.toLowerCase())) continue;
    throw new Problem(
      'credential_in_query',
      'Send credentials only in the Authorization header. Replace the credential that was sent, because URLs are logged.',
      {
        headers: { 'WWW-Authenticate': 'Bearer realm="assay", error="invalid_request"' },
      },
    );
  }
}
