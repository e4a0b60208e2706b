import type { Middleware } from 'koa';
import { Problem } from '#lib/core/problem.ts';
import { baseUrl } from '../http/base-url.ts';

export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/api/mcp';

/** Adds the address of the resource metadata to refusals with a `WWW-Authenticate` header (RFC 9728, section 5.1). */
export function challenged(publicUrl: string | undefined): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const challenge = error instanceof Problem ? error.headers['WWW-Authenticate'] : undefined;
      if (challenge === undefined) throw error;
      const { code, detail, errors, members, headers } = error as Problem;
      const metadata = `${baseUrl(ctx, publicUrl)}${RESOURCE_METADATA}`;
      const challengeHeaders = {
        ...headers,
        'WWW-Authenticate': `${challenge}, resource_metadata="${metadata}"`,
      };
      throw new Problem(code, detail, { errors, members, headers: challengeHeaders, cause: error });
    }
  };
}
