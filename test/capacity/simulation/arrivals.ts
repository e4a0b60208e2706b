import { ln } from '#lib/numerics/natural-log.ts';
import { uniformStream } from '#lib/numerics/uniform-stream.ts';
import type { Arrival } from './simulate.ts';

/** The streams of a simulation. The numbers differ from those of `PHILOX_DOMAINS`. */
const DOMAINS = { gaps: 2_001, workspaces: 2_002, computations: 2_003, weights: 2_004 };

/** Returns the shares of workspaces by Zipf's law: the share of the n-th is proportional to 1 / n^exponent. */
export function zipfShares(workspaces: number, exponent: number): number[] {
  return normalised(Array.from({ length: workspaces }, (_, at) => (at + 1) ** -exponent));
}

/** Returns shares that are proportional to draws of a Pareto distribution with this shape and a minimum of 1. */
export function paretoShares(workspaces: number, shape: number, seed: number): number[] {
  const draw = uniformStream({ seed, domain: DOMAINS.weights, sample: 0 });
  return normalised(Array.from({ length: workspaces }, () => draw() ** (-1 / shape)));
}

function normalised(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

export type Traffic = {
  seed: number;
  runs: number;
  /** Arrivals of all workspaces a second. */
  perSecond: number;
  /** The share of each workspace in the arrivals; the sum is 1. */
  shares: readonly number[];
  /** Returns the time of a computation in milliseconds from a uniform number in (0, 1). */
  computeMs: (uniform: number) => number;
};

/**
 * Draws runs with exponential gaps (a Poisson process), each of a random workspace by the shares. The same seed gives
 * the same runs. The streams of gaps, workspaces and computations are independent: a change of one leaves the others.
 */
export function drawArrivals({ seed, runs, perSecond, shares, computeMs }: Traffic): Arrival[] {
  const stream = (domain: number) => uniformStream({ seed, domain, sample: 0 });
  const gaps = stream(DOMAINS.gaps);
  const workspaces = stream(DOMAINS.workspaces);
  const computations = stream(DOMAINS.computations);
  const upTo: number[] = [];
  let sum = 0;
  for (const share of shares) upTo.push((sum += share));
  let atMs = 0;
  return Array.from({ length: runs }, () => {
    atMs += exponential(1_000 / perSecond)(gaps());
    return { atMs, workspace: placeOf(workspaces() * sum, upTo), computeMs: computeMs(computations()) };
  });
}

/** Returns a function that turns a uniform number into an exponential one with this mean. */
export function exponential(mean: number): (uniform: number) => number {
  return (uniform) => -mean * ln(uniform);
}

/** Returns the first place whose bound is at least the value. */
function placeOf(value: number, upTo: readonly number[]): number {
  let low = 0;
  let high = upTo.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (upTo[middle]! >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}
