import type { Server } from 'node:http';
import type Koa from 'koa';

const PORTS_TO_TRY = 100;
/** How long a new connection has for its first request while the server closes. */
const FIRST_REQUEST_MS = 500;

export type ListenOptions = {
  host: string;
  /** The port that was asked for; a taken one is an error. */
  port: number | undefined;
  /** Where to start looking when none was asked for. */
  defaultPort: number;
};

/** Listens, on the next free port where none was asked for. Throws a clear error when the asked port is taken. */
export async function listen(app: Koa, { host, port, defaultPort }: ListenOptions): Promise<Server> {
  const last = port === undefined ? defaultPort + PORTS_TO_TRY : port;
  for (let candidate = port ?? defaultPort; ; candidate++) {
    try {
      return await listenOn(app, host, candidate);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
      if (candidate >= last) {
        throw new Error(`port ${port ?? defaultPort} on ${host} is taken (${code})`, { cause: error });
      }
    }
  }
}

function listenOn(app: Koa, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = app.listen(port, host);
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
 * Stops listening and answers what is under way. A client may have opened a connection and sent nothing yet; it gets a
 * moment for its request, then the connection is closed.
 */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const idle = setInterval(() => server.closeIdleConnections(), FIRST_REQUEST_MS);
  await closed;
  clearInterval(idle);
}
