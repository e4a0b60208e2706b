import Router from '@koa/router';
import type { Context } from 'koa';
import { inPlatform, type Orm } from '#lib/database/orm.ts';
import { listSigningKeys } from '#lib/trust/signing-key.repository.ts';

/** The public halves of all keys that have ever signed evidence (RFC 7517), with the time in which each did. */
export function keySet(orm: Orm): Router {
  const router = new Router();
  router.get('/.well-known/assay-keys.json', async (ctx: Context) => {
    const keys = await inPlatform(orm, listSigningKeys);
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.body = {
      keys: keys.map(({ keyid, x, validFrom, retiredAt }) => ({
        kty: 'OKP',
        crv: 'Ed25519',
        x,
        kid: keyid,
        use: 'sig',
        alg: 'EdDSA',
        valid_from: validFrom.toISOString(),
        retired_at: retiredAt?.toISOString() ?? null,
      })),
    };
  });
  return router;
}
