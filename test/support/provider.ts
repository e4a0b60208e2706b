import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type ReceivedRequest = { path: string; authorization: string | undefined; body: Record<string, any> };
export type Answering = (response: ServerResponse, requested: ReceivedRequest) => void;

/** A provider of chat completions on its own port, whose answers the test sets. */
export type Provider = {
  baseUrl: string;
  /** The requests that the provider received, in order. */
  requested: ReceivedRequest[];
  /** Sets the next answers. The answers are used in order. The last answer is repeated. */
  answers(...how: Answering[]): void;
  close(): Promise<void>;
};

export async function openProvider(): Promise<Provider> {
  const requested: ReceivedRequest[] = [];
  let how: Answering[] = [well()];
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization } = request.headers;
    requested.push({ path: request.url!, authorization, body: JSON.parse(await text(request)) });
    const [next] = how.length > 1 ? how.splice(0, 1) : how;
    next!(response, requested.at(-1)!);
  }

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requested,
    answers: (...given) => {
      requested.length = 0;
      how = given;
    },
    close: () => closeAll(server),
  };
}

export const USAGE = {
  prompt_tokens: 1_000,
  completion_tokens: 500,
  prompt_tokens_details: { cached_tokens: 200 },
  completion_tokens_details: { reasoning_tokens: 100 },
};

/**
 * Returns a complete answer of a provider. `usage: null` omits the usage; `answer` is computed from the
 * request.
 */
export function well({
  usage = USAGE,
  answer = () => 'All is well.',
}: { usage?: object | null; answer?: (requested: ReceivedRequest) => string } = {}): Answering {
  return (response, requested) =>
    json(response, 200, {
      model: `${requested.body['model']}-2026-11-01`,
      choices: [{ message: { role: 'assistant', content: answer(requested) } }],
      ...(usage ? { usage } : {}),
    });
}

/** Returns a streamed answer, complete or cut off. */
export function streaming({ usage = USAGE as object | null, isCut = false } = {}): Answering {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const content of ['All is ', 'well.']) event(response, { choices: [{ delta: { content } }] });
    if (usage) event(response, { model: 'small', choices: [], usage });
    if (isCut) return void setImmediate(() => response.destroy());
    response.end('data: [DONE]\n\n');
  };
}

/** Returns an answer that never ends: no byte is sent, or only the beginning. */
export function hanging({ isBegun = false } = {}): Answering {
  return (response) => {
    if (!isBegun) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"choices":');
  };
}

export function status(code: number, headers: Record<string, string> = {}): Answering {
  return (response) => json(response, code, { error: { message: 'sk-canary was not accepted' } }, headers);
}

export function garbage(body: string): Answering {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(body);
  };
}

function json(response: ServerResponse, code: number, body: object, headers: Record<string, string> = {}) {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function event(response: ServerResponse, data: object): void {
  response.write(`data: ${JSON.stringify(data)}\n\n`);
}

async function closeAll(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
