import { MATRIX_BYTES_MAX } from '#lib/core/run.ts';
import { selectDoubles } from '#lib/numerics/select-doubles.ts';
import { intervalRanks, quantileInterval } from '#lib/numerics/scenario/quantile-interval.ts';
import { QUANTILES, sampleStatistics, statisticRanks } from '#lib/numerics/scenario/sample-statistics.ts';

/** Returns the statistics of samples, in the form of the result. */
export function summary(values: Float64Array) {
  const n = values.length;
  const bounds = QUANTILES.map((p) => intervalRanks(n, p)).flatMap(({ low, high }) => [low, high]);
  const sorted = selectDoubles(values, [
    ...statisticRanks(n),
    ...bounds.map((rank) => ({ from: rank, to: rank + 1 })),
  ]);
  const found = sampleStatistics(values, sorted);
  return {
    mean: found.mean,
    mean_error: found.deviation / Math.sqrt(n),
    standard_deviation: found.deviation,
    skewness: found.skewness,
    excess_kurtosis: found.excessKurtosis,
    minimum: found.min,
    maximum: found.max,
    quantiles: QUANTILES.map((p, at) => ({
      p,
      value: found.quantiles[at]!,
      interval: quantileInterval(sorted, p),
    })),
    risk: found.risk.map(({ level, valueAtRisk, expectedShortfall }) => ({
      level,
      value_at_risk: valueAtRisk,
      expected_shortfall: expectedShortfall,
    })),
  };
}

/** Returns doubles as the bytes to hash: little-endian, in order. */
export function bytesOf(values: Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Returns the samples as bytes if they are small enough to be stored with a run; undefined otherwise. */
export function keptBytes(values: Float64Array): Uint8Array | undefined {
  return values.byteLength <= MATRIX_BYTES_MAX ? bytesOf(values) : undefined;
}
