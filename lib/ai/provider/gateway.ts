import {
  BrokenCircuitError,
  circuitBreaker,
  ConsecutiveBreaker,
  DelegateBackoff,
  handleWhenResult,
  retry,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import { networksOf } from '#lib/core/network-address.ts';
import { openPublicAgent, urlFault, type Resolve } from '#lib/core/public-agent.ts';
import { withoutTrailing } from '#lib/core/without-trailing.ts';
import { chatBody, type ChatFailure, type ChatOutcome, type ChatRequest } from '../chat.ts';
import { attemptChat, type Attempt } from './attempt.ts';

/** The address of a provider, and the API key with which the workspace calls the provider. */
export type Access = { connection: string; baseUrl: string; apiKey: string };

export type Gateway = {
  chat(access: Access, request: ChatRequest): Promise<ChatOutcome>;
  close(): Promise<void>;
};

export type GatewayOptions = {
  /** Networks that are not public, but may be reached, in CIDR notation. */
  networks: string;
  /** Time limit of the whole call in milliseconds. It includes the retry and the wait before the retry. */
  timeoutMs?: number;
  retryAfterMs?: number;
  breaker?: { failures: number; openMs: number };
  resolve?: Resolve;
};

/**
 * The failures that the circuit breaker of a connection counts, because they indicate an unhealthy provider.
 */
const sick: ReadonlySet<ChatFailure> = new Set([
  'provider_error',
  'timed_out',
  'unreachable',
  'cut_off',
  'invalid_answer',
] as const);

/**
 * Opens the access to providers with an OpenAI-compatible API. `timeoutMs` limits the whole call. After an
 * answer of 429 or 5xx, the call is retried once if the time limit allows it: after the wait that the
 * provider requests, otherwise after `retryAfterMs`. After five counted failures in a row (`breaker`), the
 * circuit breaker refuses calls on the connection for 30 seconds.
 */
export function openGateway({
  networks,
  timeoutMs = 30_000,
  retryAfterMs = 500,
  breaker: { failures, openMs } = { failures: 5, openMs: 30_000 },
  resolve,
}: GatewayOptions): Gateway {
  const letIn = networksOf(networks);
  const agent = openPublicAgent(letIn, { timeoutMs, ...(resolve ? { resolve } : {}) });
  const breakers = new Map<string, CircuitBreakerPolicy>();

  function breakerOf(connection: string): CircuitBreakerPolicy {
    const known = breakers.get(connection);
    if (known) return known;
    const isSick = handleWhenResult((result) => {
      const attempt = result as Attempt;
      return !attempt.ok && sick.has(attempt.code);
    });
    const made = circuitBreaker(isSick, {
      halfOpenAfter: openMs,
      breaker: new ConsecutiveBreaker(failures),
    });
    breakers.set(connection, made);
    return made;
  }

  return {
    async chat({ connection, baseUrl, apiKey }, request) {
      const began = performance.now();
      const ends = began + timeoutMs;
      const signal = AbortSignal.timeout(timeoutMs);
      const url = `${withoutTrailing(baseUrl, '/')}/chat/completions`;
      let attempts = 0;
      const outcomeOf = (attempt: Attempt): ChatOutcome => ({
        ...attempt,
        attempts,
        latencyMs: Math.round(performance.now() - began),
      });
      if (urlFault(url, letIn)) return outcomeOf(failed('address_refused'));
      const waitOf = (result: unknown) => (result as Attempt).retryAfterMs ?? retryAfterMs;
      const again = retry(
        handleWhenResult(
          (result) => isWorthRetrying(result as Attempt) && performance.now() + waitOf(result) < ends,
        ),
        {
          maxAttempts: 1,
          backoff: new DelegateBackoff(({ result }) =>
            'value' in result ? waitOf(result.value) : retryAfterMs,
          ),
        },
      );
      try {
        const attempt = await breakerOf(connection).execute(() =>
          again.execute(() => {
            attempts += 1;
            return attemptChat({ agent, url, apiKey, body: chatBody(request), signal });
          }),
        );
        return outcomeOf(attempt);
      } catch (error) {
        if (error instanceof BrokenCircuitError) return outcomeOf(failed('circuit_open'));
        throw error;
      }
    },
    close: () => agent.destroy(),
  };
}

function isWorthRetrying(attempt: Attempt): boolean {
  return !attempt.ok && (attempt.code === 'rate_limited' || attempt.code === 'provider_error');
}

function failed(code: ChatFailure): Attempt {
  return { ok: false, code, status: null, usage: null, mayBeBilled: false };
}
