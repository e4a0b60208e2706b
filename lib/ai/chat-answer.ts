import type { TokenUsage } from './usage.ts';

export type ChatAnswer = { text: string; model: string | null; usage: TokenUsage | null };

/**
 * Parses a chat completion. Checks every part of the provider's answer. Returns undefined if the body is not a chat
 * completion.
 */
export function readCompletion(body: string): ChatAnswer | undefined {
  const completion = parse(body);
  const choice = at(at(completion, 'choices'), '0');
  const text = at(at(choice, 'message'), 'content');
  if (typeof text !== 'string') return undefined;
  return { text, model: modelIn(completion), usage: readUsage(at(completion, 'usage')) };
}

/** Assembles a completion from the events of a stream. */
export class StreamedCompletion {
  #text = '';
  #model: string | null = null;
  #usage: TokenUsage | null = null;
  isDone = false;
  isBroken = false;

  /** Adds the data of one event to the completion. */
  take(data: string): void {
    if (data === '[DONE]') {
      this.isDone = true;
      return;
    }
    const piece = parse(data);
    if (typeof piece !== 'object' || piece === null) {
      this.isBroken = true;
      return;
    }
    const delta = at(at(at(at(piece, 'choices'), '0'), 'delta'), 'content');
    if (typeof delta === 'string') this.#text += delta;
    this.#model ??= modelIn(piece);
    this.#usage = readUsage(at(piece, 'usage')) ?? this.#usage;
  }

  answer(): ChatAnswer {
    return { text: this.#text, model: this.#model, usage: this.#usage };
  }
}

/** Returns the reported tokens; null if they were not reported or are implausible. */
export function readUsage(usage: unknown): TokenUsage | null {
  const inputTokens = countIn(usage, 'prompt_tokens');
  const outputTokens = countIn(usage, 'completion_tokens');
  if (inputTokens === null || outputTokens === null) return null;
  const prompt = at(usage, 'prompt_tokens_details');
  const cacheReadInputTokens = countIn(prompt, 'cached_tokens');
  if ((cacheReadInputTokens ?? 0) > inputTokens) return null;
  return {
    inputTokens,
    outputTokens,
    cacheReadInputTokens,
    cacheCreationInputTokens: countIn(prompt, 'cache_creation_tokens'),
    reasoningOutputTokens: countIn(at(usage, 'completion_tokens_details'), 'reasoning_tokens'),
  };
}

/** The largest number of tokens that a usage report may state. A larger number is implausible. */
const TOKENS_MAX = 2_000_000_000;

function countIn(value: unknown, name: string): number | null {
  const count = at(value, name);
  const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= TOKENS_MAX;
  return isCount ? count : null;
}

function modelIn(completion: unknown): string | null {
  const model = at(completion, 'model');
  return typeof model === 'string' && /^[\x21-\x7e]{1,200}$/.test(model) ? model : null;
}

function at(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
