import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import type { RiskInput } from './risk-input.ts';

/**
 * Returns the hash of everything that the risk of a portfolio is computed from: the ETag of GET /investment/risk. Equal
 * hashes mean equal bodies, so a request that already has the body needs no computation.
 *
 * The order of the positions and of the cash does not matter.
 */
export function riskContentHash(input: RiskInput): string {
  const { portfolio, asOf, dates, positions, cash, realised, benchmark, factorModel, options } = input;
  return canonicalHash({
    portfolio,
    asOf,
    options,
    dates,
    positions: positions
      .map(({ symbol, currency, quantity, valueMinor, prices, volumes }) => ({
        symbol,
        currency,
        quantity,
        value: valueMinor?.toString() ?? null,
        prices: hashOf(prices),
        volumes: volumes && hashOf(volumes),
      }))
      .sort((one, other) => (one.symbol < other.symbol ? -1 : one.symbol > other.symbol ? 1 : 0)),
    cash: cash.map(({ currency, amountMinor }) => `${currency} ${amountMinor}`).sort(compareText),
    realised: realised && { values: hashOf(realised.values), flows: hashOf(realised.flows) },
    benchmark: benchmark && { symbol: benchmark.symbol, prices: hashOf(benchmark.prices) },
    run: factorModel && factorModel.run,
  });
}

/** Returns the hash of doubles as little-endian bytes. */
function hashOf({ buffer, byteOffset, byteLength }: Float64Array): string {
  return sha256(new Uint8Array(buffer, byteOffset, byteLength));
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
