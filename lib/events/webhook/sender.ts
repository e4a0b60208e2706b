import { request } from 'undici';
import { systemClock } from '#lib/core/clock.ts';
import type { Networks } from '#lib/core/network-address.ts';
import { openPublicAgent, urlFault, type Resolve } from '#lib/core/public-agent.ts';
import { retryAfterMs, type Attempted } from './schedule.ts';

const TIMEOUT_MS = 15_000;
const EXCERPT_BYTES = 500;

/** The outcome of an attempt, with its duration in milliseconds and the beginning of the response body. */
export type Sent = Attempted & { durationMs: number; excerpt?: string | undefined };

export type Sender = {
  post(url: string, headers: Record<string, string>, body: string): Promise<Sent>;
  close(): Promise<void>;
};

/** Creates a sender of messages to customers' URLs. The sender connects only to allowed addresses. */
export function openSender(
  networks: Networks,
  { resolve, timeoutMs = TIMEOUT_MS }: { resolve?: Resolve; timeoutMs?: number } = {},
): Sender {
  const agent = openPublicAgent(networks, { timeoutMs, ...(resolve && { resolve }) });
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
        const requested = answer.headers['retry-after'];
        const wait = retryAfterMs(typeof requested === 'string' ? requested : undefined, systemClock.now());
        return { status, retryAfterMs: wait, excerpt: await beginningOf(answer.body), ...took() };
      } catch (error) {
        return { error: codeOf(error), ...took() };
      }
    },
    close: () => agent.destroy(),
  };
}

/**
 * Reads the beginning of a response. Returns only characters that a terminal can display. The rest of the response is
 * not read.
 */
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
    // The status has already arrived, so an error in the rest of the response is ignored.
  }
  const text = Buffer.concat(parts).subarray(0, EXCERPT_BYTES).toString('utf8');
  return text.replace(/[^\x20-\x7e]+/g, ' ').trim() || undefined;
}

/** Returns the code of an error, such as `ECONNREFUSED` or `timeout`. */
function codeOf(error: unknown): string {
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  return String(code ?? cause?.code ?? name ?? 'error');
}
