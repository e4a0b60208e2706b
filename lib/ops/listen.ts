import { createServer, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type Koa from 'koa';
import type { Log } from '#lib/core/log.ts';
import { guardConnections } from './guard-connections.ts';

const PORTS_TO_TRY = 100;
/** Milliseconds that an idle connection has for a last request while the server closes. */
const LAST_REQUEST_MS = 1_000;

/** The longest time in milliseconds that a caller may ask to wait for a response. */
const LONGEST_WAIT_MS = 60_000;

export type ListenOptions = {
  host: string;
  /** The configured port. Listening fails if the port is in use. */
  port: number | undefined;
  /** The first port to try if no port is configured. */
  defaultPort: number;
  /** Time limit in milliseconds for a request to arrive completely. */
  requestMs?: number;
  /** The log of malformed requests and of errors that no handler catches. Without this log, Koa would print them. */
  log: Log;
};

/**
 * Listens on the configured port. If no port is configured, listens on the next free port. Throws an error that names
 * the port if the configured port is in use.
 */
export async function listen(
  app: Koa,
  { host, port, defaultPort, requestMs = 30_000, log }: ListenOptions,
): Promise<Server> {
  app.on('error', (error: unknown) => log.warn({ err: error }, 'the HTTP server reported an error'));
  const last = port === undefined ? defaultPort + PORTS_TO_TRY : port;
  for (let candidate = port ?? defaultPort; ; candidate++) {
    try {
      const server = createServer(limits(requestMs), app.callback());
      guardConnections(server, { silentMs: requestMs + LONGEST_WAIT_MS });
      return await listenOn(server, host, candidate);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
      if (candidate >= last) {
        throw new Error(`port ${port ?? defaultPort} on ${host} is already in use (${code})`, {
          cause: error,
        });
      }
    }
  }
}

/**
 * Returns the time limits of a server. A slow sender is disconnected. An idle connection is closed later than proxies
 * close idle connections.
 */
function limits(requestMs: number) {
  return {
    requestTimeout: requestMs,
    headersTimeout: Math.min(requestMs, 10_000),
    connectionsCheckingInterval: Math.min(requestMs, 1_000),
    keepAliveTimeout: 75_000,
    maxHeaderSize: 16_384,
  };
}

function listenOn(server: Server, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.listen(port, host);
    server.once('listening', () => resolve(server));
    server.once('error', reject);
  });
}

export function urlOf(server: Server): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server is not listening');
  const host = address.address === '0.0.0.0' || address.address === '::' ? '127.0.0.1' : address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

/**
 * Stops listening and answers the requests in progress. If a client with an open connection sends one more request, the
 * answer has the header `Connection: close`. `http.Server.close` would close idle connections at once, even if a
 * request is on its way.
 */
export async function closeServer(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  const idle = setInterval(() => server.closeIdleConnections(), LAST_REQUEST_MS);
  await closed;
  clearInterval(idle);
}
