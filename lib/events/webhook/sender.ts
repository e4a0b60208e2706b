import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { systemClock } from '#lib/core/clock.ts';
import { mayReach, type Networks } from '#lib/core/network-address.ts';
import { urlFault } from './endpoint-url.ts';
import { retryAfterMs, type Attempted } from './schedule.ts';

const TIMEOUT_MS = 15_000;
const EXCERPT_BYTES = 500;
const CONNECTIONS_EACH = 8;

/** What was answered, with the beginning of the body. */
export type Sent = Attempted & { durationMs: number; excerpt?: string | undefined };

export type Sender = {
  post(url: string, headers: Record<string, string>, body: string): Promise<Sent>;
  close(): Promise<void>;
};

class AddressRefused extends Error {
  readonly code = 'address_refused';
}

/** How a name is looked up; every address that it stands for. */
export type Resolve = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const resolveName: Resolve = (name, done) => lookup(name, { all: true }, done);

/**
 * Sends messages to addresses that others chose. A name is looked up once a connection, and the connection goes to the very
 * addresses that were looked at: all of them may be reached, or none is. Redirects are not followed.
 */
export function openSender(
  networks: Networks,
  { resolve = resolveName, timeoutMs = TIMEOUT_MS }: { resolve?: Resolve; timeoutMs?: number } = {},
): Sender {
  const agent = new Agent({
    connect: { lookup: pinned(networks, resolve), timeout: timeoutMs },
    connections: CONNECTIONS_EACH,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return {
    async post(url, headers, body) {
      const began = performance.now();
      const took = () => ({ durationMs: Math.round(performance.now() - began) });
      const fault = urlFault(url, networks);
      if (fault) return { error: fault, ...took() };
      try {
        const answer = await request(url, {
          method: 'POST',
          headers,
          body,
          dispatcher: agent,
          signal: AbortSignal.timeout(timeoutMs),
        });
        const { statusCode: status } = answer;
        const asked = answer.headers['retry-after'];
        const wait = retryAfterMs(typeof asked === 'string' ? asked : undefined, systemClock.now());
        return { status, retryAfterMs: wait, excerpt: await beginningOf(answer.body), ...took() };
      } catch (error) {
        return { error: codeOf(error), ...took() };
      }
    },
    close: () => agent.destroy(),
  };
}

/** Literal addresses are not looked up: `urlFault` has looked at them. */
function pinned(networks: Networks, resolve: Resolve): LookupFunction {
  return (name, { all }, done) => {
    resolve(name, (error, addresses) => {
      if (error) return done(error, '');
      if (addresses.length === 0 || !addresses.every(({ address }) => mayReach(address, networks))) {
        return done(new AddressRefused(`${name} stands for an address that may not be reached`), '');
      }
      return all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}

/** So much of an answer as is worth keeping, in characters that a terminal can show; the rest is not read. */
async function beginningOf(
  body: AsyncIterable<Buffer> & { destroy(): unknown },
): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      size += part.length;
      if (size >= EXCERPT_BYTES) break;
    }
  } catch {
    // The status is there already; what follows it decides nothing.
  }
  const text = Buffer.concat(parts).subarray(0, EXCERPT_BYTES).toString('utf8');
  return text.replace(/[^\x20-\x7e]+/g, ' ').trim() || undefined;
}

/** A word for what went wrong, such as `ECONNREFUSED` or `timeout`. */
function codeOf(error: unknown): string {
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  return String(code ?? cause?.code ?? name ?? 'error');
}
