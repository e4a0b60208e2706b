import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const PROVIDER_CLIENT = 'assay-console';
export const PROVIDER_SECRET = 'a secret of the client, 32 bytes';

/** A real identity provider in this process. Any login with any password signs in, and is the subject. */
export type IdentityProvider = {
  issuer: string;
  /** The settings with which the console uses this provider. */
  settings: Record<string, string>;
  /** Starts the provider for the console at this URL. */
  serve(consoleUrl: string): void;
  /** Follows an address of the provider as a browser does, and signs in there. Returns where the provider leads to. */
  signIn(address: string, login: string): Promise<string>;
  close(): Promise<void>;
};

/** Opens an identity provider on a loopback address. Its issuer is known before the console is started. */
export async function openIdentityProvider(): Promise<IdentityProvider> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: PROVIDER_CLIENT,
      OIDC_CLIENT_SECRET: PROVIDER_SECRET,
      OIDC_NAME: 'Acme Login',
      OIDC_NETWORKS: '127.0.0.0/8',
      RATE_LIMIT_FACTOR: '100',
    },
    serve(consoleUrl) {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: PROVIDER_CLIENT,
            client_secret: PROVIDER_SECRET,
            redirect_uris: [`${consoleUrl}/console/sign-in/oidc/callback`],
            response_types: ['code'],
            grant_types: ['authorization_code'],
            // The loopback address is not allowed for applications of the kind `web`.
            application_type: 'native',
            token_endpoint_auth_method: 'client_secret_basic',
          },
        ],
        cookies: { keys: ['a key of the cookies'] },
        jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: 'k1' } as never] },
        pkce: { required: () => true },
        claims: { email: ['email', 'email_verified'], acr: null, amr: null },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: async () => ({ sub: id, email: `${id}@acme.example`, email_verified: true }),
        }),
      });
      answer = provider.callback();
    },
    async signIn(address, login) {
      const cookies = new Map<string, string>();
      const ask = async (url: string, form?: Record<string, string>) => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(url, {
          redirect: 'manual',
          headers: { cookie },
          ...(form && { method: 'POST', body: new URLSearchParams(form) }),
        });
        for (const line of response.headers.getSetCookie()) {
          const [pair = ''] = line.split(';');
          cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const location = response.headers.get('location');
        return { location: location && new URL(location, issuer).href, text: await response.text() };
      };
      let url = address;
      for (let steps = 0; url.startsWith(issuer) && steps < 20; steps += 1) {
        const { location, text } = await ask(url);
        if (location) {
          url = location;
          continue;
        }
        const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
        if (prompt === undefined) throw new Error(`the provider does not continue: ${text.slice(0, 500)}`);
        const sent = await ask(url, { prompt, login, password: 'any' });
        url = sent.location ?? url;
      }
      return url;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
