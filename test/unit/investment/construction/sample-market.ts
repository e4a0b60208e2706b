import type {
  ConstructionAsset,
  ConstructionHolding,
  ConstructionInput,
} from '#lib/investment/construction/construction-input.ts';
import type { ConstructionRequestBody } from '#lib/investment/construction/construction.schema.ts';

export const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF'] as const;
const PERIODS = 120;

/** Returns the deterministic returns of an asset: a common part, a part of its own, and a drift. */
function returnsOf(k: number): number[] {
  return Array.from(
    { length: PERIODS },
    (_, t) =>
      0.0004 * (k + 1) +
      0.008 * (((t * 7919) % 101) / 101 - 0.5) +
      (0.006 + 0.002 * k) * (((t * (104729 + 1299709 * k)) % 97) / 97 - 0.5),
  );
}

export function asset(symbol: string, change: Partial<ConstructionAsset> = {}): ConstructionAsset {
  const k = SYMBOLS.indexOf(symbol as (typeof SYMBOLS)[number]);
  return {
    symbol,
    currency: 'USD',
    isEligible: true,
    sector: k < 3 ? 'Energy' : 'Health',
    themes: { ai: k / 10 },
    returns: returnsOf(k < 0 ? 7 : k),
    price: BigInt(20 + 10 * Math.max(k, 0)) * 100_000_000n,
    volume: 100_000,
    ...change,
  };
}

export function holding(
  symbol: string,
  quantity: number,
  change: Partial<ConstructionHolding> = {},
): ConstructionHolding {
  const fixed = BigInt(Math.round(quantity * 1e8));
  return { symbol, currency: 'USD', quantity: fixed, price: asset(symbol).price, lots: [], ...change };
}

/** Returns the input of a construction with 1,000,000.00 in cash, no positions and six assets. */
export function construction(
  request: ConstructionRequestBody = {},
  change: Partial<ConstructionInput> = {},
): ConstructionInput {
  return {
    request,
    currency: 'USD',
    minorDigits: 2,
    cashMinor: 100_000_000n,
    assets: SYMBOLS.map((symbol) => asset(symbol)),
    holdings: [],
    periodsPerYear: 252,
    benchmark: null,
    feature: null,
    factorModel: null,
    ...change,
  };
}
