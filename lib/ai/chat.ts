import type { TokenUsage } from './usage.ts';

export type ChatRequest = {
  model: string;
  system: string;
  user: string;
  /** The largest number of tokens that the model may write. */
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

/** The outcome of a chat call. The provider's error texts are left out, because they can repeat the prompt. */
export type ChatOutcome = {
  attempts: number;
  latencyMs: number;
  /** The HTTP status of the last attempt; null if no answer arrived. */
  status: number | null;
  usage: TokenUsage | null;
  /** Whether the provider may have charged for the call. */
  mayBeBilled: boolean;
} & ({ ok: true; text: string; model: string | null } | { ok: false; code: ChatFailure });

export const MESSAGES_BYTES_MAX = 65_536;

/** Returns the request body of an OpenAI-compatible chat completion. */
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

/** Returns the failure code for an HTTP status of a provider. */
export function failureOf(status: number): ChatFailure {
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403) return 'unauthorized';
  return status >= 500 ? 'provider_error' : 'refused';
}
