import type { TokenUsage } from './usage.ts';

export type ChatRequest = {
  model: string;
  system: string;
  user: string;
  /** The most tokens that the model may write. */
  outputTokensMax: number;
};

export const chatFailures = [
  'address_refused',
  'unreachable',
  'timed_out',
  'rate_limited',
  'unauthorized',
  'refused',
  'provider_error',
  'invalid_answer',
  'cut_off',
  'too_large',
  'circuit_open',
  'key_unreadable',
] as const;
export type ChatFailure = (typeof chatFailures)[number];

/** The outcome of a call. Texts of the provider's errors are left out, because they can repeat the prompt. */
export type ChatOutcome = {
  attempts: number;
  latencyMs: number;
  /** The last HTTP status; null without an answer. */
  status: number | null;
  usage: TokenUsage | null;
  /** Whether the provider may have charged for it. */
  mayBeBilled: boolean;
} & ({ ok: true; text: string; model: string | null } | { ok: false; code: ChatFailure });

export const MESSAGES_BYTES_MAX = 65_536;

/** The body of an OpenAI-compatible chat completion. */
export function chatBody({ model, system, user, outputTokensMax }: ChatRequest): string {
  return JSON.stringify({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    temperature: 0,
    max_tokens: outputTokensMax,
    stream: false,
  });
}

/** The failure that an HTTP status means. */
export function failureOf(status: number): ChatFailure {
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403) return 'unauthorized';
  return status >= 500 ? 'provider_error' : 'refused';
}
