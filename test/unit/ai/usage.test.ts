import { expect } from 'chai';
import fc from 'fast-check';
import { boundMicro, costMicro, type TokenUsage } from '#lib/ai/usage.ts';

const tokens = (inputTokens: number, outputTokens: number, cached: number | null = null): TokenUsage => ({
  inputTokens,
  outputTokens,
  cacheReadInputTokens: cached,
  cacheCreationInputTokens: null,
  reasoningOutputTokens: null,
});
const PRICE = { inputMicro: 2_500_000n, cachedInputMicro: 1_250_000n, outputMicro: 10_000_000n };

describe('the cost of tokens', () => {
  it('is the sum of the costs of input, cached input and output tokens', () => {
    expect(costMicro(tokens(1_000, 500), PRICE)).to.equal(7_500n);
    expect(costMicro(tokens(1_000, 500, 1_000), PRICE)).to.equal(6_250n);
    expect(costMicro(tokens(1_000, 500, 1_000), { ...PRICE, cachedInputMicro: null })).to.equal(7_500n);
    expect(costMicro(tokens(0, 0), PRICE)).to.equal(0n);
  });

  it('is rounded half to even, after the summation', () => {
    const half = { inputMicro: 500_000n, cachedInputMicro: null, outputMicro: 0n };
    expect([1, 3, 5].map((count) => costMicro(tokens(count, 0), half))).to.deep.equal([0n, 2n, 2n]);
    expect(costMicro(tokens(1, 1), { ...half, outputMicro: 1n })).to.equal(1n);
  });

  it('never exceeds the amount that is reserved before the call', () => {
    const micro = fc.bigInt({ min: 0n, max: 100_000_000n });
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.nat(10_000),
        fc.nat(10_000),
        micro,
        fc.option(micro),
        micro,
        (...drawn) => {
          const [input, cached, output, inputMicro, cachedInputMicro, outputMicro] = drawn;
          const price = { inputMicro, cachedInputMicro, outputMicro };
          const usage = tokens(input, output, Math.min(cached, input));
          expect(costMicro(usage, price) <= boundMicro(input, output, price)).to.equal(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
