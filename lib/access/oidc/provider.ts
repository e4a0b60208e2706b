import * as client from 'openid-client';
import { cachedFor } from '#lib/core/cached-for.ts';
import type { Clock } from '#lib/core/clock.ts';
import { networksOf } from '#lib/core/network-address.ts';
import { urlFault, type Resolve } from '#lib/core/public-agent.ts';
import { flowTexts, MAX_AGE_S } from './flow.ts';
import { openProviderFetch } from './provider-fetch.ts';
import { clientKeyOf } from './client-key.ts';
import type { OidcSettings } from './settings.ts';

/** How long the metadata and keys of the provider are used before they are loaded again, in milliseconds. */
const METADATA_MS = 3_600_000;
/** The longest wait for one answer of the provider, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** How far the clock of the provider may differ from this clock, in seconds. */
export const CLOCK_TOLERANCE_S = 30;

/** The statements of an ID token about the person: the identity, and how the provider authenticated the person. */
export type SignedInAtProvider = {
  issuer: string;
  subject: string;
  acr: string | null;
  amr: readonly string[];
};

export type ProviderFault = 'provider_unreachable' | 'provider_refused' | 'token_invalid';

/** The outcome of a flow. `reason` is for the log. It contains no text of the provider and no token. */
export type Claimed =
  | { ok: true; claimed: SignedInAtProvider }
  | { ok: false; code: ProviderFault; reason: string };

/** The identity provider of the deployment. */
export type OidcProvider = {
  name: string;
  issuer: string;
  /** Returns the address at the provider where a flow begins. Throws if the provider cannot be reached. */
  authorizationUrl(secret: string, redirectUri: string): Promise<URL>;
  /** Exchanges the code of the provider's answer for an ID token, and checks the token. */
  claim(answer: URL, secret: string): Promise<Claimed>;
  /** Returns the address that ends the session at the provider; undefined if the provider states none. */
  signOutUrl(): Promise<string | undefined>;
  close(): Promise<void>;
};

export type ProviderOptions = { clock: Clock; resolve?: Resolve; timeoutMs?: number };

/**
 * Opens the access to an identity provider: OpenID Connect, authorization code flow with PKCE. The signature of an ID
 * token is verified with the published keys and the one configured algorithm.
 */
export function openProvider(
  settings: OidcSettings,
  { clock, resolve, timeoutMs = TIMEOUT_MS }: ProviderOptions,
): OidcProvider {
  const { issuer, clientId, networks, name, algorithm, acr } = settings;
  const letIn = networksOf(networks);
  const access = openProviderFetch({ networks, timeoutMs, resolve });

  const configuration = cachedFor(METADATA_MS, async () => {
    const found = await client.discovery(
      new URL(issuer),
      clientId,
      { id_token_signed_response_alg: algorithm, [client.clockTolerance]: CLOCK_TOLERANCE_S },
      await authenticationOf(settings),
      {
        // `urlFault` lets plain HTTP pass only to an IP address in one of the configured networks.
        execute: [client.enableNonRepudiationChecks, client.allowInsecureRequests],
        [client.customFetch]: access.fetch,
        timeout: timeoutMs / 1_000,
      },
    );
    for (const endpoint of endpointsOf(found.serverMetadata())) {
      const fault = urlFault(endpoint, letIn);
      if (fault) throw new Error(`the identity provider has an address that is refused: ${fault}`);
    }
    return found;
  });

  return {
    name,
    issuer,
    async authorizationUrl(secret, redirectUri) {
      const { state, nonce, verifier } = flowTexts(secret);
      return client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        max_age: String(MAX_AGE_S),
        ...(acr.length > 0 && { acr_values: acr.join(' ') }),
      });
    },
    async claim(answer, secret) {
      const { state, nonce, verifier } = flowTexts(secret);
      let known: client.Configuration;
      try {
        known = await configuration();
      } catch (error) {
        return { ok: false, code: 'provider_unreachable', reason: reasonOf(error) };
      }
      try {
        const tokens = await client.authorizationCodeGrant(known, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          maxAge: MAX_AGE_S,
          idTokenExpected: true,
        });
        return claimedOf(tokens.claims()!, settings, clock.now());
      } catch (error) {
        return { ok: false, code: faultOf(error), reason: reasonOf(error) };
      }
    },
    async signOutUrl() {
      const found = await configuration().catch(() => undefined);
      return found?.serverMetadata().end_session_endpoint === undefined
        ? undefined
        : client.buildEndSessionUrl(found).href;
    },
    close: access.close,
  };
}

/**
 * Checks the claims that the library leaves to its caller: the authorized party of a token with one audience, a time of
 * issue in the future, the length of the subject, and the required authentication context.
 */
function claimedOf(claims: client.IDToken, { clientId, acr }: OidcSettings, now: Date): Claimed {
  const invalid = (reason: string): Claimed => ({ ok: false, code: 'token_invalid', reason });
  const latest = now.getTime() / 1_000 + CLOCK_TOLERANCE_S;
  if (claims.azp !== undefined && claims.azp !== clientId) return invalid('azp');
  if (claims.iat > latest || (claims.auth_time ?? 0) > latest) return invalid('issued in the future');
  if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) return invalid('sub');
  const stated = typeof claims['acr'] === 'string' ? claims['acr'].slice(0, 200) : null;
  if (acr.length > 0 && (stated === null || !acr.includes(stated))) return invalid('acr');
  const methods = Array.isArray(claims['amr']) ? claims['amr'] : [];
  const amr = methods
    .filter((each): each is string => typeof each === 'string' && each.length <= 50)
    .slice(0, 10);
  return { ok: true, claimed: { issuer: claims.iss, subject: claims.sub, acr: stated, amr } };
}

/** Authenticates the client with a signature of its private key, or else with its secret. */
async function authenticationOf({ secret, key }: OidcSettings): Promise<client.ClientAuth> {
  if (key !== undefined) return client.PrivateKeyJwt(await clientKeyOf(key));
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const accepted = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (accepted.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

function endpointsOf(metadata: client.ServerMetadata): string[] {
  const { authorization_endpoint, token_endpoint, jwks_uri, end_session_endpoint } = metadata;
  return [authorization_endpoint ?? '', token_endpoint ?? '', jwks_uri ?? ''].concat(
    end_session_endpoint ?? [],
  );
}

function faultOf(error: unknown): ProviderFault {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return 'provider_refused';
  if (error instanceof client.ClientError) {
    const isLate = error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT';
    return isLate ? 'provider_unreachable' : 'token_invalid';
  }
  return 'provider_unreachable';
}

/** Returns a reason for the log: codes and names only, because messages may contain texts of the provider. */
function reasonOf(error: unknown): string {
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: { code?: unknown } };
  const parts = [name, code, cause?.code].filter((part) => typeof part === 'string');
  return parts.join(' ').slice(0, 200);
}
