import Router from '@koa/router';
import type { Context } from 'koa';
import { scopes } from '#lib/core/scope.ts';
import { baseUrl } from './base-url.ts';

/**
 * Serves the addresses of the OAuth endpoints (RFC 8414) and of the resource that takes their tokens (RFC 9728).
 * `publicUrl` is the base URL that callers use. Without `publicUrl`, the answer names the request's host, so shared
 * caches must not store the answer.
 */
export function oauthMetadata(apiPrefix: string, publicUrl: string | undefined): Router {
  const router = new Router();
  router.get('/.well-known/oauth-authorization-server', (ctx: Context) => {
    const issuer = baseUrl(ctx, publicUrl);
    const endpoint = (name: string) => `${issuer}${apiPrefix}/oauth/${name}`;
    const methods = ['client_secret_basic', 'client_secret_post'];
    if (publicUrl !== undefined) ctx.set('Cache-Control', 'public, max-age=300');
    ctx.body = {
      issuer,
      token_endpoint: endpoint('token'),
      token_endpoint_auth_methods_supported: methods,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      scopes_supported: scopes,
      revocation_endpoint: endpoint('revoke'),
      revocation_endpoint_auth_methods_supported: methods,
      introspection_endpoint: endpoint('introspect'),
      introspection_endpoint_auth_methods_supported: methods,
      service_documentation: `${issuer}/docs`,
    };
  });
  router.get('/.well-known/oauth-protected-resource/api/mcp', (ctx: Context) => {
    const issuer = baseUrl(ctx, publicUrl);
    if (publicUrl !== undefined) ctx.set('Cache-Control', 'public, max-age=300');
    ctx.body = {
      resource: `${issuer}/api/mcp`,
      authorization_servers: [issuer],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_documentation: `${issuer}/docs`,
    };
  });
  return router;
}
