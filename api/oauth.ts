import type { Middleware } from 'koa';
import type { Static, TObject, TSchema } from 'typebox';
import type { Clock } from '#lib/core/clock.ts';
import type { Operation, Reply } from '#lib/core/operation.ts';
import { addressKey } from '#lib/core/network-address.ts';
import { Problem, type ProblemCode } from '#lib/core/problem.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Em, Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import type { InputOf, Outcome, TenantCommand } from '#lib/governance/command.ts';
import { governWithin } from '#lib/governance/govern.ts';
import { blockedForS, clearPenalties, penalize, suspectsOf } from '#lib/limits/penalties.query.ts';
import { quotaTimes, type RateDecision, type Rates } from '#lib/limits/policy.ts';
import { identifyClient, type IdentifiedClient } from '#lib/access/oauth-client.write.ts';
import type { Querying } from './govern.ts';
import { clientCredentials } from './http/client-credentials.ts';
import { refuseMoved } from './http/moved.ts';
import { checkRates } from './http/rate-headers.ts';

/** The maximum numbers of requests per minute, for each client and for each address. */
const QUOTAS = { client: 120, address: 600 };

export type OAuthParts = {
  orm: Orm;
  clock: Clock;
  /** The shared request counter. While it is unavailable, the OAuth endpoints refuse every request. */
  rates: Rates;
  rateFactor: number;
  tokenLifetimeS: number;
};

/** The arguments of an OAuth endpoint's handler. */
export type OAuthCall<Body> = {
  body: Body;
  client: IdentifiedClient;
  clock: Clock;
  tokenLifetimeS: number;
  /** Runs a query in a transaction of the client's workspace and environment. */
  query: Querying;
  /** Carries out a command in the client's workspace and environment, as the client's application. */
  govern<C extends TenantCommand>(command: C, input: InputOf<C>): Promise<Outcome<C>>;
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

/**
 * Authenticates OAuth clients. Only requests with the correct secret count towards the quota of the client.
 * After too many failed attempts from an address, that client is blocked at this address, and so are all
 * requests from this address without a valid secret. Failures at other addresses cannot block a client.
 */
export function oauthAccess(parts: OAuthParts): Middleware {
  return async (ctx, next) => {
    const { id, secret, isBasic } = clientCredentials(ctx, ctx.state['body'] as Record<string, string>);
    const address = addressKey(ctx.ip);
    const ofAddress = await draw(parts, 'address', address);
    checkRates(ctx, ofAddress);
    const { blockedS, client } = await inPlatform(parts.orm, (em) => identify(em, { id, secret, address }));
    if (blockedS > 0) {
      throw new Problem('slow_down', `Too many failed authentication attempts. Retry in ${blockedS} s.`, {
        headers: { 'Retry-After': String(blockedS) },
      });
    }
    if (!client) throw unknownClient(isBasic);
    const ofClient = await draw(parts, 'client', client.uid);
    const states = ofClient.allowed ? [...ofAddress.states, ...ofClient.states] : ofClient.states;
    checkRates(ctx, { allowed: ofClient.allowed, states });
    if (client.move) refuseMoved(ctx, client.move);
    if (client.status !== 'active') throw refused(`The application is ${client.status}.`);
    if (!client.hasProductionAccess) throw refused('The application has no production access.');
    ctx.state['caller'] = { ...client, scopes: new Set() };
    ctx.state['oauthCall'] = oauthCall(parts, client, ctx.state['requestId'] as string);
    await next();
  };
}

function oauthCall(
  { orm, clock, tokenLifetimeS }: OAuthParts,
  client: IdentifiedClient,
  requestId: string,
): Omit<OAuthCall<unknown>, 'body'> {
  const { workspace, environment, application, uid: credential } = client;
  const place = { workspace, environment };
  const actor = { kind: 'application' as const, uid: application, credential };
  return {
    client,
    clock,
    tokenLifetimeS,
    query: (query, ...args) => inTenant(orm, place, (em) => query(em, ...args)),
    govern: (command, input) =>
      inTenant(orm, place, (em) => governWithin(em, command, input, { actor, place, clock, requestId })),
  };
}

type Identity = { blockedS: number; client?: IdentifiedClient | undefined };

/**
 * Returns the client with this id and secret, unless attempts are blocked. `blockedS` is the number of seconds for
 * which they are blocked; 0 if they are not.
 */
async function identify(
  em: Em,
  { id, secret, address }: { id: string; secret: string; address: string },
): Promise<Identity> {
  const suspects = suspectsOf(nameOf(id), address);
  const clientBlockedS = await blockedForS(em, suspects.client);
  if (clientBlockedS > 0) return { blockedS: clientBlockedS };
  const client = await identifyClient(em, id, secret);
  if (client) {
    await clearPenalties(em, suspects.client);
    return { blockedS: 0, client };
  }
  const blockedS = await blockedForS(em, suspects.address);
  if (blockedS === 0) await penalize(em, [suspects.address, suspects.client]);
  return { blockedS };
}

/** Consumes one request from the quota of an address or of a client. */
async function draw(
  { rates, rateFactor }: OAuthParts,
  name: keyof typeof QUOTAS,
  who: string,
): Promise<RateDecision> {
  const quota = quotaTimes(QUOTAS[name], rateFactor);
  return rates.take('token', [{ name, key: `token ${name} ${who}`, quota }]).catch((cause) => {
    const code: ProblemCode = 'dependency_unavailable';
    throw new Problem(
      code,
      'Tokens cannot be issued at the moment, because the rate limit counter does not answer. Retry later.',
      {
        cause,
        headers: { 'Retry-After': '5' },
      },
    );
  });
}

/**
 * Returns the hash under which the attempts of a client are counted. The client id itself may contain
 * anything, including a secret.
 */
function nameOf(id: string): string {
  return sha256(id).slice(0, 32);
}

function unknownClient(isBasic: boolean): Problem {
  return new Problem(
    'invalid_client',
    'The client is unknown or revoked, or the secret is not its current secret.',
    {
      headers: isBasic ? { 'WWW-Authenticate': 'Basic realm="assay"' } : {},
    },
  );
}

function refused(detail: string): Problem {
  return new Problem('unauthorized_client', detail);
}
