import type { Context, Middleware } from 'koa';
import type { Static, TObject, TSchema } from 'typebox';
import type { Clock } from '#lib/core/clock.ts';
import type { Operation, Reply } from '#lib/core/operation.ts';
import { Problem, type ProblemCode } from '#lib/core/problem.ts';
import { sha256 } from '#lib/core/seal.ts';
import { inPlatform, inTenant, type Em, type Orm } from '#lib/database/orm.ts';
import { blockedForS, forgive, penalize, suspectsOf } from '#lib/limits/penalties.repository.ts';
import { quotaTimes, type Rates } from '#lib/limits/policy.ts';
import { identifyClient, type IdentifiedClient } from '#lib/workspace/oauth-client.repository.ts';
import { clientCredentials } from './http/client-credentials.ts';
import { checkRates } from './http/rate-headers.ts';

/** Requests a minute, of each client and of each address. */
const QUOTAS = { client: 120, address: 600 };

export type OAuthParts = {
  orm: Orm;
  clock: Clock;
  /** The common count alone: while it is away, the endpoints are closed. */
  rates: Rates;
  rateFactor: number;
  tokenLifetimeS: number;
};

/** What the handler of an OAuth endpoint is given. */
export type OAuthCall<Body> = {
  body: Body;
  client: IdentifiedClient;
  clock: Clock;
  requestId: string;
  tokenLifetimeS: number;
  /** A transaction in the client's workspace and environment. */
  transaction<T>(work: (em: Em) => Promise<T>): Promise<T>;
};

type OAuthSpec<Body extends TObject, Success extends TSchema> = Omit<
  Operation,
  'scope' | 'product' | 'method' | 'body' | 'success' | 'handle' | 'oauth'
> & {
  body: Body;
  success: { status: 200; description: string; schema: Success };
  handle(call: OAuthCall<Static<Body>>): Promise<Reply<200, Static<Success>>>;
};

/** Declares an OAuth endpoint for the catalog. */
export function defineOAuthEndpoint<Body extends TObject, Success extends TSchema>(
  spec: OAuthSpec<Body, Success>,
): Operation {
  return { ...spec, scope: null, product: 'Access', method: 'POST', oauth: true } as unknown as Operation;
}

/** Lets the clients through that prove who they are; failures slow down the client and the address. */
export function oauthAccess(parts: OAuthParts): Middleware {
  return async (ctx, next) => {
    const { id, secret, isBasic } = clientCredentials(ctx, ctx.state['body'] as Record<string, string>);
    await drawOn(ctx, parts, id);
    const suspects = suspectsOf(nameOf(id), ctx.ip);
    const [blockedS, client] = await inPlatform(parts.orm, async (em) => {
      const seconds = await blockedForS(em, suspects);
      if (seconds > 0) return [seconds, undefined] as const;
      const found = await identifyClient(em, id, secret);
      await (found ? forgive(em, suspects[1]!) : penalize(em, suspects));
      return [0, found] as const;
    });
    if (blockedS > 0) {
      throw new Problem('slow_down', `Too many failures; try again in ${blockedS} s.`, {
        headers: { 'Retry-After': String(blockedS) },
      });
    }
    if (!client) throw unknownClient(isBasic);
    if (client.status !== 'active') throw refused(`The application is ${client.status}.`);
    if (!client.hasProductionAccess) throw refused('The application has no production access.');
    ctx.state['caller'] = { ...client, scopes: new Set() };
    ctx.state['oauthCall'] = {
      client,
      clock: parts.clock,
      requestId: ctx.state['requestId'] as string,
      tokenLifetimeS: parts.tokenLifetimeS,
      transaction: (work) => inTenant(parts.orm, client, work),
    } satisfies Omit<OAuthCall<unknown>, 'body'>;
    await next();
  };
}

async function drawOn(ctx: Context, { rates, rateFactor }: OAuthParts, client: string): Promise<void> {
  const rate = (name: keyof typeof QUOTAS, who: string) => ({
    name,
    key: `token ${name} ${who}`,
    quota: quotaTimes(QUOTAS[name], rateFactor),
  });
  const decision = await rates
    .take('token', [rate('address', ctx.ip), rate('client', nameOf(client))])
    .catch((cause) => {
      const code: ProblemCode = 'dependency_unavailable';
      throw new Problem(code, 'No token is issued while requests cannot be counted.', {
        cause,
        headers: { 'Retry-After': '5' },
      });
    });
  checkRates(ctx, decision);
}

/** What a client is counted under. Anything may stand where its id should, also a secret. */
function nameOf(id: string): string {
  return sha256(id).slice(0, 32);
}

function unknownClient(isBasic: boolean): Problem {
  return new Problem(
    'invalid_client',
    'The client is unknown, revoked, or the secret is not its present one.',
    {
      headers: isBasic ? { 'WWW-Authenticate': 'Basic realm="assay"' } : {},
    },
  );
}

function refused(detail: string): Problem {
  return new Problem('unauthorized_client', detail);
}
