import { pause } from './pause.ts';

/**
 * The retry policy of a client. `attempts` includes the first attempt. The pauses begin with `minMs`,
 * double after each attempt, and do not exceed `maxMs`.
 */
export type Retries = { attempts: number; minMs: number; maxMs: number };

export const defaultRetries: Retries = { attempts: 5, minMs: 250, maxMs: 30_000 };

/**
 * Sends a request. Retries it after a network error, after a 429, and after a 503 or 409 with `Retry-After`: the
 * service is then unavailable, or an earlier attempt is still in progress. A 503 or 409 without `Retry-After` is a
 * permanent refusal. If the server requests a longer pause than `maxMs`, its answer is returned without a retry.
 */
export async function sendWithRetries(
  request: Request,
  fetch: (request: Request) => Promise<Response>,
  retries: Retries,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= retries.attempts;
    // A body can be read only once, so each attempt sends a copy.
    const answer = await fetch(request.clone()).catch((error: unknown) => {
      if (isLast || request.signal.aborted) throw error;
      return undefined;
    });
    const requested = answer && requestedPauseMs(answer);
    if (answer && (isLast || requested === undefined || requested > retries.maxMs)) return answer;
    await answer?.body?.cancel();
    await pause(Math.max(requested ?? 0, backOffMs(attempt, retries)), request.signal);
  }
}

/** Returns the pause that the server requests, in milliseconds; undefined if a retry would be useless. */
function requestedPauseMs({ status, headers }: Response): number | undefined {
  const after = headers.get('retry-after');
  if (status === 429) return after === null ? 0 : pauseMs(after, headers);
  return (status === 503 || status === 409) && after !== null ? pauseMs(after, headers) : undefined;
}

/**
 * Parses a `Retry-After`, given in seconds or as an instant, into milliseconds. An instant is compared with the
 * server's own clock.
 */
function pauseMs(after: string, headers: Headers): number {
  if (/^\d+$/.test(after)) return Number(after) * 1_000;
  const until = Date.parse(after) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(until) ? 0 : Math.max(0, until);
}

/**
 * Returns the pause before the next attempt, in milliseconds. Half of the pause is random, so that clients refused at
 * the same time do not retry at the same time.
 */
function backOffMs(attempt: number, { minMs, maxMs }: Retries): number {
  const full = Math.min(maxMs, minMs * 2 ** (attempt - 1));
  return full / 2 + (Math.random() * full) / 2;
}
