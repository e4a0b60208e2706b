import { pause } from './pause.ts';

/** How long a client goes on: `attempts` in all, pauses from `minMs`, doubled each time, up to `maxMs`. */
export type Retries = { attempts: number; minMs: number; maxMs: number };

export const defaultRetries: Retries = { attempts: 5, minMs: 250, maxMs: 30_000 };

/**
 * Sends a request until it is answered: again after an error of the network, a 429, and a 503 or 409 that says when to
 * come back: a service is away, or the attempt before is still at work. Without `Retry-After` these are refusals, and
 * would be the same again. When the server asks for a longer pause
 * than `maxMs`, its answer is given as it is.
 */
export async function sendWithRetries(
  request: Request,
  fetch: (request: Request) => Promise<Response>,
  retries: Retries,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= retries.attempts;
    // A body can be read once, so each attempt sends a copy.
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

/** What the server asks to wait; undefined when another attempt would be of no use. */
function requestedPauseMs({ status, headers }: Response): number | undefined {
  const after = headers.get('retry-after');
  if (status === 429) return after === null ? 0 : pauseMs(after, headers);
  return (status === 503 || status === 409) && after !== null ? pauseMs(after, headers) : undefined;
}

/** `Retry-After` is in seconds, or an instant, which is held against the server's own clock. */
function pauseMs(after: string, headers: Headers): number {
  if (/^\d+$/.test(after)) return Number(after) * 1_000;
  const until = Date.parse(after) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(until) ? 0 : Math.max(0, until);
}

/** Half of the pause is left to chance, so that those who were turned away together do not come back together. */
function backOffMs(attempt: number, { minMs, maxMs }: Retries): number {
  const full = Math.min(maxMs, minMs * 2 ** (attempt - 1));
  return full / 2 + (Math.random() * full) / 2;
}
