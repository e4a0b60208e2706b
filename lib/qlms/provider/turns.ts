import { formatMajor } from '#lib/core/money.ts';
import type { ProviderRequest, Purpose } from './request.ts';

/** A request that was made for a question: its uid, or the reason why it was not made. */
export type Turn = { uid: string } | { code: string };
/** The requests that were made for a question, by their purpose. */
export type Turns = Readonly<Partial<Record<Purpose, Turn>>>;

/** Ends an attempt to answer a question, because it needs a call to a provider first. */
export class ProviderNeeded extends Error {
  readonly request: ProviderRequest;
  constructor(request: ProviderRequest) {
    super('the answer needs a call to a provider');
    this.request = request;
  }
}

/** The answer of a provider. Exactly one of `text` and `code` is given; `code` is the reason why there is no text. */
export type Told = {
  messagesHash: string;
  text: string | null;
  code: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  costMicro: string | null;
  currency: string | null;
};

/** The calls, tokens and cost of the requests of one answer. */
export type ProviderUsage = {
  calls: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cost: string | null;
};

/** Returns the use of a provider. Figures that one of the calls does not report are null. */
export function usageOf(told: readonly Told[]): ProviderUsage {
  const sum = (of: (each: Told) => number | null): number | null =>
    told.reduce<number | null>((total, each) => {
      const own = of(each);
      return total === null || own === null ? null : total + own;
    }, 0);
  const currencies = new Set(told.map(({ currency }) => currency));
  const micro =
    currencies.size === 1 ? sum(({ costMicro }) => (costMicro === null ? null : Number(costMicro))) : null;
  const [currency = null] = currencies;
  return {
    calls: told.length,
    input_tokens: sum(({ inputTokens }) => inputTokens),
    output_tokens: sum(({ outputTokens }) => outputTokens),
    cost: micro === null || currency === null ? null : `${formatMajor(BigInt(micro), 6)} ${currency}`,
  };
}
