import { readFileSync, writeFileSync } from 'node:fs';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import type { Size } from '../bench.ts';

export type OptimiserCase = {
  label: string;
  kind: 'variance' | 'cvar';
  assets: number;
  observations: number;
  /** The number of solutions in one round, chosen so that a round lasts at least some milliseconds. */
  repeats: number;
  rounds: number;
  /** The largest accepted relative difference between the objective of the subject and that of the peer. */
  apartMax: number;
};

const FACTORS = 5;

function variance(assets: number, repeats: number, rounds: number): OptimiserCase {
  const label = `minimum variance without short positions, ${assets} assets`;
  return { label, kind: 'variance', assets, observations: 2 * assets + 100, repeats, rounds, apartMax: 1e-5 };
}

function cvar(assets: number, observations: number, rounds: number): OptimiserCase {
  const label = `minimum CVaR at 95 %, ${assets} assets x ${observations.toLocaleString('en')} observations`;
  return { label, kind: 'cvar', assets, observations, repeats: 1, rounds, apartMax: 1e-9 };
}

/** The measured problems by the size of the bench. */
export const optimiserCases: Record<Size, OptimiserCase[]> = {
  full: [
    variance(25, 50, 15),
    variance(100, 20, 15),
    variance(400, 2, 15),
    cvar(25, 1_006, 9),
    cvar(100, 1_000, 9),
  ],
  tiny: [variance(5, 1, 1), cvar(4, 40, 1)],
};

export type OptimiserData = { assets: number; covariance: Float64Array; returns: Float64Array };

/**
 * Writes a simulated market with five factors, equal in every run. The file has little-endian doubles: the
 * number of assets, the annual covariance matrix, and the daily returns of all assets day by day.
 */
export function writeCase(file: string, { assets, observations }: OptimiserCase): void {
  const draws = (seed: number, rows: number, columns: number) => {
    const values = new Float64Array(rows * columns);
    fillNormals(values, { seed, firstSample: 0, dimensions: columns });
    return values;
  };
  const [factors, own] = [draws(1, observations, FACTORS), draws(2, observations, assets)];
  const [loadings, sizes] = [draws(3, FACTORS, assets), draws(4, 1, assets)];
  const returns = new Float64Array(observations * assets);
  for (let t = 0; t < observations; t += 1)
    for (let i = 0; i < assets; i += 1) {
      let value = (0.008 + 0.004 * Math.abs(sizes[i]!)) * own[t * assets + i]!;
      for (let k = 0; k < FACTORS; k += 1)
        value += factors[t * FACTORS + k]! * (0.004 + 0.002 * loadings[k * assets + i]!);
      returns[t * assets + i] = value;
    }
  const head = Float64Array.of(assets);
  const parts = [head, covarianceOf(returns, assets), returns];
  writeFileSync(file, Buffer.concat(parts.map(({ buffer }) => new Uint8Array(buffer))));
}

/** Reads the market that `writeCase` wrote. */
export function readCase(file: string): OptimiserData {
  const bytes = readFileSync(file);
  const numbers = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const assets = numbers[0]!;
  const end = 1 + assets * assets;
  return { assets, covariance: numbers.slice(1, end), returns: numbers.slice(end) };
}

function covarianceOf(returns: Float64Array, assets: number): Float64Array<ArrayBuffer> {
  const count = returns.length / assets;
  const means = new Float64Array(assets);
  returns.forEach((each, at) => (means[at % assets]! += each / count));
  const covariance = new Float64Array(assets * assets);
  for (let i = 0; i < assets; i += 1)
    for (let j = 0; j <= i; j += 1) {
      let total = 0;
      for (let t = 0; t < count; t += 1)
        total += (returns[t * assets + i]! - means[i]!) * (returns[t * assets + j]! - means[j]!);
      covariance[i * assets + j] = covariance[j * assets + i] = (total / (count - 1)) * 252;
    }
  return covariance;
}
