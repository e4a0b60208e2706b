import { mean, median, quantile } from 'simple-statistics';
import { serviceClassLimits } from '#lib/database/base.ts';
import type { BackendName } from '../../support/backends.ts';
import { openCluster } from '../../support/cluster.ts';
import { ownHome } from '../../support/home.ts';
import { drawArrivals, zipfShares } from '../simulation/arrivals.ts';
import { simulate, type Passed, type System } from '../simulation/simulate.ts';
import { COMPUTE_MS } from './compute-ms.ts';
import { startService, type Observed, type Service } from './observe.ts';

const PLACES = 4;
const WORKSPACES = 4;
const SEED = 27;
/**
 * The arrivals a second, as a share of what the places can compute. Just above the limit, the delay would be the small
 * difference of two large numbers, and no figure of a service could be measured closely enough.
 */
const LOADS = [0.8, 2];
const RUNS = { full: 300, quick: 12 };
const BURST = { full: 80, quick: 16 };
const SINGLES = { full: 12, quick: 2 };
/** The largest accepted difference between a simulated figure and the measured one. */
export const DIFFERENCE_MAX = 0.15;

/** The figures of one load, measured and simulated. Delays are from the record of a run to its start, in milliseconds. */
export type Point = {
  load: number;
  runs: number;
  perSecond: Pair;
  delayMean: Pair;
  delayP95: Pair;
  /** Whether throughput and mean delay differ by at most `DIFFERENCE_MAX`. */
  agrees: boolean;
};
type Times = Pick<Passed, 'recordedMs' | 'startedMs' | 'endedMs'>;
type Pair = { measured: number; simulated: number };

export type Checked = { handOverMs: number; overheadMs: number; points: Point[] };

/**
 * Compares the simulation with the service on this machine at two loads. Computations wait for a fixed time instead of
 * using the processor, so that the comparison also works next to other load. Two figures are measured before, with other
 * runs: the time from a record to a start in an idle service, and the time of a run in its place in addition to the
 * computation, in a burst. The simulation gets these, and the times at which the runs were recorded.
 */
export async function checkSimulation(options: {
  queue: BackendName;
  quick: boolean;
  notify(line: string): void;
}): Promise<Checked> {
  const size = options.quick ? 'quick' : 'full';
  const home = await ownHome();
  const cluster = await openCluster(home.folder);
  try {
    const at = { queue: options.queue, places: PLACES, workspaces: WORKSPACES };
    const service = await startService(cluster, at);
    try {
      options.notify('single runs and a burst, to measure the overhead of a run');
      await service.observe(burstOf(2 * PLACES));
      const handOverMs = median((await singles(service, SINGLES[size])).map(delayOf));
      const overheadMs = overheadOf(await service.observe(burstOf(BURST[size])));
      const { runningRuns: runningMax, queuedRuns: queuedMax } = serviceClassLimits.standard;
      const system = { places: PLACES, runningMax, queuedMax, handOverMs, overheadMs };
      const points: Point[] = [];
      for (const load of LOADS) {
        options.notify(`${RUNS[size]} runs at a load of ${load}`);
        points.push(await pointAt(service, { load, runs: RUNS[size], system }));
      }
      return { handOverMs, overheadMs, points };
    } finally {
      await service.stop();
    }
  } finally {
    await cluster.release();
    await home.remove();
  }
}

async function pointAt(
  service: Service,
  { load, runs, system }: { load: number; runs: number; system: System },
): Promise<Point> {
  const perSecond = (load * PLACES * 1_000) / (COMPUTE_MS + system.overheadMs!);
  const shares = zipfShares(WORKSPACES, 1);
  const arrivals = drawArrivals({ seed: SEED, runs, perSecond, shares, computeMs: () => COMPUTE_MS });
  const measured = await service.observe(arrivals);
  const simulated = simulate(
    measured.map(({ atMs, workspace }) => ({ atMs, workspace, computeMs: COMPUTE_MS })),
    system,
  );
  const pair = (figure: (runs: readonly Times[]) => number): Pair => ({
    measured: figure(measured),
    simulated: figure(simulated),
  });
  const throughput = pair(perSecondOf);
  const delayMean = pair((all) => mean(all.map(delayOf)));
  const delayP95 = pair((all) => quantile(all.map(delayOf), 0.95));
  const agrees = [throughput, delayMean].every((each) => Math.abs(differenceOf(each)) <= DIFFERENCE_MAX);
  return { load, runs, perSecond: throughput, delayMean, delayP95, agrees };
}

/** Returns by how much the simulated figure exceeds the measured one, as a share of the measured one. */
export function differenceOf({ measured, simulated }: Pair): number {
  return simulated / measured - 1;
}

function perSecondOf(runs: readonly Times[]): number {
  return (runs.length * 1_000) / Math.max(...runs.map(({ endedMs }) => endedMs!));
}

function delayOf({ recordedMs, startedMs }: Times): number {
  return startedMs! - recordedMs!;
}

/** Runs that are submitted at once, by all workspaces in turn. */
function burstOf(runs: number): { atMs: number; workspace: number }[] {
  return Array.from({ length: runs }, (_, at) => ({ atMs: 0, workspace: at % WORKSPACES }));
}

/** Submits runs one after the other, so that none waits for another. */
async function singles(service: Service, runs: number): Promise<Observed[]> {
  const observed: Observed[] = [];
  for (let at = 0; at < runs; at += 1) observed.push(...(await service.observe(burstOf(1))));
  return observed;
}

/**
 * Returns the time of a run in its place in addition to the computation: while all places are taken, as many runs start
 * in this time as there are places. The first half of the burst is left out, because its submissions use the processors
 * as well.
 */
function overheadOf(burst: readonly Observed[]): number {
  const starts = burst.map(({ startedMs }) => startedMs).sort((a, b) => a - b);
  const half = starts.slice(Math.floor(starts.length / 2));
  const turns = half.slice(PLACES).map((startedMs, at) => startedMs - half[at]!);
  return Math.max(0, mean(turns) - COMPUTE_MS);
}
