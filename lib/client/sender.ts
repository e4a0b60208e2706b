import type { Credential } from './credential.ts';
import { problemOf } from './problem.ts';

/** Sends a request and returns a successful answer. Throws an `ApiProblem` for every other answer. */
export type Sender = (request: Request) => Promise<Response>;

/**
 * Creates a sender that adds the credential to each request and an idempotency key to each change. All attempts have
 * the same key, so the effect happens once. A refused token is renewed once.
 */
export function createSender(credential: Credential, send: Sender): Sender {
  return async (request) => {
    const isWrite = request.method === 'POST' || request.method === 'PUT';
    if (isWrite && !request.headers.has('idempotency-key')) {
      request.headers.set('idempotency-key', crypto.randomUUID());
    }
    const token = await credential.token();
    let response = await send(withToken(request, token));
    if (response.status === 401 && credential.renew) {
      await response.body?.cancel();
      response = await send(withToken(request, await credential.renew(token)));
    }
    if (!response.ok) throw await problemOf(response);
    return response;
  };
}

function withToken(request: Request, token: string): Request {
  const copy = request.clone();
  copy.headers.set('authorization', `Bearer ${token}`);
  return copy;
}
