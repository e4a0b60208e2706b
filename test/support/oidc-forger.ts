import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The answer of the token endpoint: the claims and header of the ID token, and the key that signs the token. */
export type Forged = {
  claims: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: KeyObject | string;
};

/** An identity provider whose ID tokens a test forges. */
export type Forger = {
  issuer: string;
  publicKey: KeyObject;
  /** The forms that the token endpoint received. */
  exchanged: Record<string, string>[];
  /** The paths that were requested. */
  requested: string[];
  /** Sets what the token endpoint answers. */
  answers(forged: Forged): void;
  /** Replaces the answers of a path. */
  route(path: string, answer: (response: ServerResponse) => void): void;
  close(): Promise<void>;
};

export const FORGER_CLIENT = 'assay-console';

/** Opens an identity provider that signs any claims with any key. `metadata` changes its published metadata. */
export async function openForger(metadata: Record<string, unknown> = {}): Promise<Forger> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const exchanged: Record<string, string>[] = [];
  const requested: string[] = [];
  const routes = new Map<string, (response: ServerResponse) => void>();
  let forged: Forged = { claims: {} };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    requested.push(path);
    const own = routes.get(path);
    if (own) return own(response);
    if (path === '/.well-known/openid-configuration')
      return json(response, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        ...metadata,
      });
    if (path === '/jwks')
      return json(response, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig' }] });
    exchanged.push(Object.fromEntries(new URLSearchParams(await text(request))));
    const { claims, header = {}, key = privateKey } = forged;
    json(response, {
      access_token: 'access',
      token_type: 'Bearer',
      id_token: tokenOf({ alg: 'RS256', kid: 'k1', ...header }, claims, key),
    });
  }

  return {
    issuer,
    publicKey,
    exchanged,
    requested,
    answers: (given) => {
      forged = given;
    },
    route: (path, how) => void routes.set(path, how),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns a signed JWT. A text as key signs with HMAC; the algorithm `none` signs nothing. */
function tokenOf(header: Record<string, unknown>, claims: object, key: KeyObject | string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const content = `${encode(header)}.${encode(claims)}`;
  if (header['alg'] === 'none') return `${content}.`;
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(content).digest()
      : sign('sha256', Buffer.from(content), key);
  return `${content}.${signature.toString('base64url')}`;
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
