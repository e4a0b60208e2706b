import { compareText } from '#lib/core/compare-text.ts';
import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import type { RealisedPath } from './realised-path.ts';
import type { RiskBenchmark, RiskInput } from './risk-input.ts';

/**
 * Returns the hash of everything that the risk of a portfolio is computed from: the ETag of GET
 * /investment/risk. Equal hashes mean equal bodies, so nothing is computed for a caller that already has the
 * body.
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
      .map(({ symbol, currency, quantity, valueMinor, otherCurrency, prices, volumes }) => ({
        symbol,
        currency,
        quantity,
        value: valueMinor?.toString() ?? null,
        ...(otherCurrency !== null && { other_currency: otherCurrency }),
        prices: hashOf(prices),
        volumes: volumes && hashOf(volumes),
      }))
      .sort((one, other) => compareText(one.symbol, other.symbol)),
    cash: cash.map(({ currency, amountMinor }) => `${currency} ${amountMinor}`).sort(compareText),
    realised: realised && pathHashes(realised),
    benchmark: benchmark && benchmarkHashes(benchmark),
    run: factorModel && factorModel.run,
  });
}

function benchmarkHashes(benchmark: RiskBenchmark) {
  return 'symbol' in benchmark
    ? { symbol: benchmark.symbol, prices: hashOf(benchmark.prices) }
    : { portfolio: benchmark.portfolio, path: pathHashes(benchmark.path) };
}

function pathHashes({ lastUnpriced, currencies, symbols, isFunded, ...path }: RealisedPath) {
  return {
    ...Object.fromEntries(Object.entries(path).map(([name, series]) => [name, hashOf(series)])),
    last_unpriced: [...lastUnpriced].map(([symbol, row]) => `${symbol} ${row}`),
    currencies,
    symbols,
    is_funded: isFunded,
  };
}

/** Returns the SHA-256 of the little-endian bytes of doubles. */
function hashOf({ buffer, byteOffset, byteLength }: Float64Array): string {
  return sha256(new Uint8Array(buffer, byteOffset, byteLength));
}
