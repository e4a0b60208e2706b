import { quantile } from 'simple-statistics';
import { drawArrivals } from './arrivals.ts';
import { jainIndex, maxMinShares } from './fairness.ts';
import { simulate, type Passed, type System } from './simulate.ts';

export type Study = {
  system: System & Required<Pick<System, 'database'>>;
  /** The share of each workspace in the arrivals. */
  shares: readonly number[];
  /** The kinds of runs, with the share of each in the runs. The shares add up to 1. */
  kinds: readonly { share: number; computeMs: number }[];
  runs: number;
  seed: number;
};

/** The delays and shares of the workspaces at one load. Delays are from the request to the start of a run, in milliseconds. */
export type Outcome = {
  load: number;
  order: NonNullable<System['order']>;
  perSecond: number;
  /** Of all runs that started. */
  delay: Quantiles;
  /** Of the workspaces whose demand is within their fair share. */
  delayWithinShare: Quantiles;
  refused: number;
  /** Jain's index of the started runs of each workspace, divided by its fair share. */
  jain: number;
  /** The smallest of these ratios, of the workspaces with a fair share of at least `COUNTED_MIN` runs. */
  worst: number;
};
type Quantiles = { p50: number; p95: number; p99: number };

/** Smaller fair shares are not counted one by one, because a single run in progress would change their ratio too much. */
export const COUNTED_MIN = 20;

/** Returns the runs a second at which the places, the processors of the workers or the database are always busy. */
export function limitOf({ system, kinds }: Pick<Study, 'system' | 'kinds'>): number {
  const { servers, submitMs, startMs, endMs } = system.database;
  const { places, processors = places } = system;
  const computeMs = kinds.reduce((sum, kind) => sum + kind.share * kind.computeMs, 0);
  return Math.min(
    (places * 1_000) / (startMs + computeMs + endMs),
    (processors * 1_000) / computeMs,
    (servers * 1_000) / (submitMs + startMs + endMs),
  );
}

/**
 * Simulates a load and summarises it. `load` is the arrival rate divided by `limitOf`. Runs are counted until the last
 * arrival, with an empty system at the start.
 *
 * The fair share of a workspace is its max-min share of all runs that started. A workspace that submitted less gets all its
 * runs, and the others get equal numbers. Each run counts as 1, as in Assay.
 */
export function outcomeAt(study: Study, load: number, order: NonNullable<System['order']>): Outcome {
  const perSecond = load * limitOf(study);
  const arrivals = drawArrivals({ ...study, perSecond, computeMs: kindOf(study.kinds) });
  const untilMs = arrivals.at(-1)!.atMs;
  const runs = simulate(arrivals, { ...study.system, order }, { untilMs });
  const started = runs.filter(({ startedMs }) => startedMs !== undefined);
  const [submittedBy, startedBy] = [runs, started].map((each) => countBy(each, study.shares.length));
  const fair = maxMinShares(submittedBy!, started.length);
  const ratios = startedBy!.map((count, workspace) => (fair[workspace] === 0 ? 1 : count / fair[workspace]!));
  const counted = ratios.filter((_, workspace) => fair[workspace]! >= COUNTED_MIN);
  const isWithin = ({ workspace }: Passed) => submittedBy![workspace]! <= fair[workspace]! + 1e-9;
  return {
    load,
    order,
    perSecond: (started.length * 1_000) / untilMs,
    delay: quantilesOf(started),
    delayWithinShare: quantilesOf(started.filter(isWithin)),
    refused: runs.filter((run) => run.isRefused).length,
    jain: jainIndex(counted),
    worst: Math.min(...counted),
  };
}

function quantilesOf(runs: readonly Passed[]): Quantiles {
  const delays = runs.map(({ atMs, startedMs }) => startedMs! - atMs);
  const at = (share: number) => (delays.length === 0 ? 0 : quantile(delays, share));
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function countBy(runs: readonly Passed[], workspaces: number): number[] {
  const counts = Array.from({ length: workspaces }, () => 0);
  for (const { workspace } of runs) counts[workspace]! += 1;
  return counts;
}

/** Returns a function that chooses a kind by a uniform number and returns the time of its computation. */
function kindOf(kinds: Study['kinds']): (uniform: number) => number {
  return (uniform) => {
    let upTo = 0;
    for (const { share, computeMs } of kinds) if (uniform <= (upTo += share)) return computeMs;
    return kinds.at(-1)!.computeMs;
  };
}
