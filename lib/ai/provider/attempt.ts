import { createParser } from 'eventsource-parser';
import { request, type Agent } from 'undici';
import { failureOf, type ChatFailure } from '../chat.ts';
import { readCompletion, StreamedCompletion, type ChatAnswer } from '../chat-answer.ts';
import type { TokenUsage } from '../usage.ts';

export type Attempt = {
  status: number | null;
  usage: TokenUsage | null;
  mayBeBilled: boolean;
  /** The wait that the provider requested, in milliseconds. */
  retryAfterMs?: number;
} & ({ ok: true; text: string; model: string | null } | { ok: false; code: ChatFailure });

const BODY_BYTES_MAX = 1_048_576;

export type AttemptOptions = { agent: Agent; url: string; apiKey: string; body: string; signal: AbortSignal };

/**
 * Calls a provider once. Never throws: every outcome has a code, and states whether the provider may have charged for
 * the call.
 */
export async function attemptChat({ agent, url, apiKey, body, signal }: AttemptOptions): Promise<Attempt> {
  let status: number | null = null;
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body,
      dispatcher: agent,
      signal,
    });
    status = answer.statusCode;
    if (status !== 200) {
      answer.body.on('error', () => undefined).destroy();
      const retryAfterMs = waitIn(answer.headers['retry-after']);
      const failure = { status, usage: null, mayBeBilled: false, code: failureOf(status) };
      return { ok: false, ...failure, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
    const isStream = /^text\/event-stream\b/i.test(String(answer.headers['content-type']));
    return {
      status,
      mayBeBilled: true,
      ...(isStream ? await readStream(answer.body) : await readWhole(answer.body)),
    };
  } catch (error) {
    return {
      ok: false,
      code: codeOf(error, status),
      status,
      usage: null,
      mayBeBilled: wasHeard(error, status),
    };
  }
}

type Read = { usage: TokenUsage | null } & (
  | { ok: true; text: string; model: string | null }
  | { ok: false; code: ChatFailure }
);

async function readWhole(body: AsyncIterable<Buffer>): Promise<Read> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > BODY_BYTES_MAX) return { ok: false, code: 'too_large', usage: null };
    parts.push(part);
  }
  const answer = readCompletion(Buffer.concat(parts).toString('utf8'));
  return answer ? { ok: true, ...answer } : { ok: false, code: 'invalid_answer', usage: null };
}

/** Reads a stream. Some providers stream even if the request does not ask for it. */
async function readStream(body: AsyncIterable<Buffer>): Promise<Read> {
  const completion = new StreamedCompletion();
  const parser = createParser({ onEvent: ({ data }) => completion.take(data) });
  const decoder = new TextDecoder();
  let size = 0;
  try {
    for await (const part of body) {
      size += part.length;
      if (size > BODY_BYTES_MAX) return endedAs('too_large', completion.answer());
      parser.feed(decoder.decode(part, { stream: true }));
      if (completion.isDone || completion.isBroken) break;
    }
  } catch (error) {
    return endedAs(isTimeout(error) ? 'timed_out' : 'cut_off', completion.answer());
  }
  if (completion.isBroken) return endedAs('invalid_answer', completion.answer());
  return completion.isDone ? { ok: true, ...completion.answer() } : endedAs('cut_off', completion.answer());
}

/**
 * Returns the result of a stream that ended with a failure. Usage that was reported before the failure is still
 * counted.
 */
function endedAs(code: ChatFailure, { usage }: ChatAnswer): Read {
  return { ok: false, code, usage };
}

function codeOf(error: unknown, status: number | null): ChatFailure {
  if (isTimeout(error)) return 'timed_out';
  if ((error as { code?: unknown }).code === 'address_refused') return 'address_refused';
  return status === null ? 'unreachable' : 'cut_off';
}

function isTimeout(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: unknown };
  return (
    name === 'TimeoutError' ||
    name === 'AbortError' ||
    code === 'UND_ERR_HEADERS_TIMEOUT' ||
    code === 'UND_ERR_BODY_TIMEOUT'
  );
}

/**
 * Whether the provider may have read the request. If no network connection was made, the provider cannot have read the
 * request.
 */
function wasHeard(error: unknown, status: number | null): boolean {
  const { code } = error as { code?: unknown };
  const neverMade = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'address_refused'];
  return status !== null || !neverMade.includes(String(code));
}

/**
 * Parses a `Retry-After` header in seconds. Returns milliseconds. Returns undefined for a date, because a
 * provider that states a date expects a longer wait than the time limit of a call.
 */
function waitIn(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}
