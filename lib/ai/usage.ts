/**
 * Tokens as a provider reported them, by the names of the OpenTelemetry conventions. Null means that
 * the provider did not report the value.
 */
export type TokenUsage = {
  inputTokens: number;
  outputTokens: number;
  /** Input tokens that were read from the provider's cache. They are included in the input tokens. */
  cacheReadInputTokens: number | null;
  /** Input tokens that were written to the provider's cache. They are included in the input tokens. */
  cacheCreationInputTokens: number | null;
  /** Output tokens used for reasoning. They are included in the output tokens. */
  reasoningOutputTokens: number | null;
};

/** Prices in micro-units (10^-6 of the major unit) of the currency per million tokens. */
export type TokenPrice = {
  currency: string;
  version: number;
  inputMicro: bigint;
  /** Price of input that was read from the cache. If null, this input costs `inputMicro` too. */
  cachedInputMicro: bigint | null;
  outputMicro: bigint;
};

const MILLION = 1_000_000n;

/**
 * Returns the cost of tokens in micro-units, rounded half to even once. Cached input has its own price, if one is set.
 * Example: 1,000 input tokens at 2.50 and 500 output tokens at 10.00 per million cost 7,500 micro-units.
 */
export function costMicro(usage: TokenUsage, price: Omit<TokenPrice, 'currency' | 'version'>): bigint {
  const cached = BigInt(usage.cacheReadInputTokens ?? 0);
  const plain = BigInt(usage.inputTokens) - cached;
  const { inputMicro, cachedInputMicro, outputMicro } = price;
  const parts =
    plain * inputMicro + cached * (cachedInputMicro ?? inputMicro) + BigInt(usage.outputTokens) * outputMicro;
  const whole = parts / MILLION;
  const rest = (parts % MILLION) * 2n;
  const isUp = rest > MILLION || (rest === MILLION && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}

/**
 * Returns the highest possible cost of a call before it is made. A token has at least one byte, which bounds the input
 * tokens. The request limits the output tokens.
 */
export function boundMicro(
  inputBytes: number,
  outputTokensMax: number,
  price: Omit<TokenPrice, 'currency' | 'version'>,
): bigint {
  const { inputMicro, cachedInputMicro } = price;
  const dearest = cachedInputMicro !== null && cachedInputMicro > inputMicro ? cachedInputMicro : inputMicro;
  const tokens = { inputTokens: inputBytes, outputTokens: outputTokensMax };
  const unreported = {
    cacheReadInputTokens: null,
    cacheCreationInputTokens: null,
    reasoningOutputTokens: null,
  };
  return costMicro({ ...tokens, ...unreported }, { ...price, inputMicro: dearest, cachedInputMicro: null });
}
