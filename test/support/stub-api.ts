import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Seen = { method: string; url: string; headers: Record<string, string>; body: string };

/** An answer of the server, or a cut connection without an answer. */
export type Scripted = { status: number; body?: unknown; headers?: Record<string, string> } | 'cut';

export type StubApi = { url: string; seen: Seen[]; stop(): Promise<void> };

/** Starts a server on its own port that returns the answers of the test and records the requests. */
export async function stubApi(
  answer: (request: Seen, count: number) => Scripted | Promise<Scripted>,
): Promise<StubApi> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = '', url = '' } = request;
    const requested = { method, url, headers: request.headers as Record<string, string>, body };
    const scripted = await answer(requested, seen.push(requested));
    if (scripted === 'cut') return request.socket.destroy();
    response.writeHead(scripted.status, { 'content-type': 'application/json', ...scripted.headers });
    return response.end(scripted.body === undefined ? '' : JSON.stringify(scripted.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
