import { timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { Problem } from '#lib/core/problem.ts';
import type { Caller } from '#lib/core/operation.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Environment } from '#lib/database/base.ts';
import type { Orm } from '#lib/database/orm.ts';
import { parseApiKey } from '#lib/workspace/api-key.ts';

type Authentication = {
  credential_uid: string;
  secret_hash: string;
  revoked: boolean;
  application_uid: string;
  workspace_uid: string;
  environment: Environment;
  status: string;
  /** Words with a space between them: a driver reads that faster than an array. */
  scopes: string;
  entitlements: string;
};

/**
 * Finds out who calls. The credential is read on every request, so that a revocation binds on the next one. The
 * caller's scopes are those that both the application holds and the workspace is entitled to.
 */
export function authenticate(orm: Orm): Middleware {
  return async (ctx, next) => {
    const key = bearer(ctx.get('authorization'));
    const parsed = parseApiKey(key);
    const found = parsed && (await find(orm, parsed.keyId));
    if (
      !found ||
      !timingSafeEqual(Buffer.from(found.secret_hash), Buffer.from(sha256(key))) ||
      found.revoked ||
      found.environment !== parsed.environment
    ) {
      throw new Problem('invalid_token', 'The credential is unknown, revoked, or not of this form.', {
        headers: { 'WWW-Authenticate': 'Bearer realm="assay", error="invalid_token"' },
      });
    }
    if (found.status !== 'active') {
      throw new Problem('application_inactive', `The application is ${found.status}.`);
    }
    ctx.state['caller'] = {
      credential: found.credential_uid,
      application: found.application_uid,
      workspace: found.workspace_uid,
      environment: found.environment,
      scopes: new Set(found.scopes.split(' ')),
      entitlements: new Set(found.entitlements.split(' ')),
    } satisfies Caller;
    await next();
  };
}

function bearer(header: string): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (token) return token;
  throw new Problem('credential_required', 'Send `Authorization: Bearer <API key>`.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="assay"' },
  });
}

const FIND = `
  select credential_uid, secret_hash, revoked, application_uid, workspace_uid, environment, status,
    array_to_string(scopes, ' ') as scopes, array_to_string(entitlements, ' ') as entitlements
  from authenticate(?)`;

async function find(orm: Orm, keyId: string): Promise<Authentication | undefined> {
  const [found] = await orm.em.getConnection().execute<Authentication[]>(FIND, [keyId]);
  return found;
}
