import { API_PREFIX } from './api.ts';
import type { Credential } from './credential.ts';
import { problemOf } from './problem.ts';

export type OAuthOptions = {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** The requested scopes, separated by spaces. Default: all scopes of the application. */
  scope?: string | undefined;
  send(request: Request): Promise<Response>;
};

type Token = { text: string; endsAtMs: number };

/**
 * How long before its expiry a token is replaced, in milliseconds, so that no token expires during a request. The
 * margin is at most half of the token's lifetime.
 */
const MARGIN_MS = 30_000;

/**
 * Creates a credential that requests access tokens with client credentials (RFC 6749, 4.4). A token is used until
 * shortly before its expiry or until it is refused. Concurrent callers that need a new token share one request.
 */
export function clientCredentials(options: OAuthOptions): Credential {
  let current: Token | undefined;
  let coming: Promise<Token> | undefined;

  async function token(): Promise<string> {
    if (current && performance.now() < current.endsAtMs) return current.text;
    coming ??= requestToken(options).finally(() => (coming = undefined));
    current = await coming;
    return current.text;
  }

  return {
    token,
    renew(refused) {
      if (current?.text === refused) current = undefined;
      return token();
    },
  };
}

async function requestToken({ baseUrl, clientId, clientSecret, scope, send }: OAuthOptions): Promise<Token> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...(scope ? { scope } : {}) });
  const requestedAtMs = performance.now();
  const response = await send(
    new Request(`${baseUrl}${API_PREFIX}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`)}` },
      body,
    }),
  );
  if (!response.ok) throw await problemOf(response);
  const { access_token, expires_in } = (await response.json()) as {
    access_token: string;
    expires_in: number;
  };
  const livesMs = expires_in * 1_000;
  return { text: access_token, endsAtMs: requestedAtMs + livesMs - Math.min(MARGIN_MS, livesMs / 2) };
}

/**
 * Form-encodes a client identifier or a client secret for the `Authorization: Basic` header (RFC 6749,
 * 2.3.1).
 */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
