/** Tokens as a provider reported them, by the names of the OpenTelemetry conventions. Null is what it did not report. */
export type TokenUsage = {
  inputTokens: number;
  outputTokens: number;
  /** Of the input. */
  cacheReadInputTokens: number | null;
  /** Of the input, written into the provider's cache. */
  cacheCreationInputTokens: number | null;
  /** Of the output. */
  reasoningOutputTokens: number | null;
};

/** In micro-units (10^-6 of the major unit) of the currency for a million tokens. */
export type TokenPrice = {
  currency: string;
  version: number;
  inputMicro: bigint;
  /** Null: as other input. */
  cachedInputMicro: bigint | null;
  outputMicro: bigint;
};

const MILLION = 1_000_000n;

/**
 * What tokens cost, in micro-units, rounded half to even once. Cached input counts at its own price, where there is one.
 * Example: 1,000 tokens in at 2.50 and 500 out at 10.00 a million cost 7,500 micro-units.
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
 * The most that a call can cost before it is made: no token is shorter than a byte, and the provider is told the most
 * tokens that it may write.
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
