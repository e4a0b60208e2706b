import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem, problemBody, type ProblemCode } from '#lib/core/problem.ts';

/**
 * The largest number of connections. Each connection needs a file descriptor and some kilobytes. Above this number,
 * idle connections are closed.
 */
const CONNECTIONS_MAX = 10_000;
/** Milliseconds from the response to an unreadable request until the connection is closed. */
const LINGER_MS = 1_000;

const refusals: Readonly<Record<string, [ProblemCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The URL and the headers may have 16 KiB together.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
};
const MALFORMED: [ProblemCode, string] = ['malformed_request', 'The request is not well-formed HTTP/1.1.'];

/**
 * Limits the connections of a server: their number, and how long a connection may neither send nor read. A client that
 * does not read its response is disconnected after `silentMs`, which is longer than the longest wait for a response. An
 * unreadable request is answered with a problem, like every other refused request.
 */
export function guardConnections(server: Server, { silentMs }: { silentMs: number }): Server {
  const answers = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.maxConnections = CONNECTIONS_MAX;
  // Node limits the total size of the headers. With a limit on their number, Node would silently drop headers.
  server.maxHeadersCount = 0;
  server.setTimeout(silentMs);
  server.on('drop', () => server.closeIdleConnections());
  server.on('request', (request, response) => answers.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // After the first fault, the rest of the data cannot be parsed either.
    if (refused.has(socket)) return;
    refused.add(socket);
    const answer = answers.get(socket);
    const isAnswering = answer !== undefined && answer.headersSent && !answer.writableFinished;
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    socket.end(refusalOf(error));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
  return server;
}

/**
 * Returns a complete HTTP response as text. The request was not parsed, so the HTTP server has no response object for
 * it.
 */
function refusalOf({ code = '' }: NodeJS.ErrnoException): string {
  const problem = new Problem(...(refusals[code] ?? MALFORMED));
  const requestId = newUid(prefixes.request);
  const body = JSON.stringify(problemBody(problem, requestId));
  const headers = {
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`;
}
