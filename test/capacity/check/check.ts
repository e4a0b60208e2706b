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
/** The arrivals a second, as a share of what the places can compute. */
const LOADS = [0.8, 1.3, 2];
const RUNS = { full: 400, quick: 12 };
const BURST = { full: 80, quick: 16 };
const SINGLES = { full: 12, quick: 2 };
/** The largest accepted difference between a simulated figure and the measured one. */
export const DIFFERENCE_MAX = 0.15;

/** The figures of one load, measured and simulated. Delays are from the record of a run to its start, in milliseconds. */
export type Point = {
  load: number;
  runs: number;
  /** The mean time of a run from its start to its end. */
  serviceMs: number;
  /** The mean time from the end of a run to the start of the next one in its place, in the bursts before and after. */
  refillMs: { before: number; after: number };
  perSecond: Pair;
  delayMean: Pair;
  delayP95: Pair;
  /** Whether throughput and mean delay differ by at most `DIFFERENCE_MAX`. */
  agrees: boolean;
};
type Times = Pick<Passed, 'recordedMs' | 'startedMs' | 'endedMs'>;
type Pair = { measured: number; simulated: number };

export type Checked = { handOverMs: number; points: Point[] };

/**
 * Compares the simulation with the service on this machine at three loads. The simulation gets the times at which the runs
 * were recorded and the time of each run from its start to its end, because other work on the machine changes these
 * times; it computes the delays before the start, and gets none of them. Two figures are measured with other runs: the time
 * from a record to a start in an idle service, and the time from the end of a run to the start of the next one in its
 * place, in a burst before and a burst after each load. Computations wait for a fixed time instead of using the processor,
 * so that the comparison also works next to other load.
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
      options.notify('single runs, to measure the hand-over');
      await service.observe(burstOf(2 * PLACES));
      const handOverMs = median((await singles(service, SINGLES[size])).map(delayOf));
      const { runningRuns: runningMax, queuedRuns: queuedMax } = serviceClassLimits.standard;
      const system = { places: PLACES, runningMax, queuedMax, handOverMs };
      const points: Point[] = [];
      for (const load of LOADS) {
        options.notify(`${RUNS[size]} runs at a load of ${load}`);
        points.push(await pointAt(service, { load, size, system }));
      }
      return { handOverMs, points };
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
  { load, size, system }: { load: number; size: keyof typeof RUNS; system: System },
): Promise<Point> {
  const runs = RUNS[size];
  const before = turnOf(await service.observe(burstOf(BURST[size])));
  const perSecond = (load * PLACES * 1_000) / (before.serviceMs + before.refillMs);
  const shares = zipfShares(WORKSPACES, 1);
  const arrivals = drawArrivals({ seed: SEED, runs, perSecond, shares, computeMs: () => COMPUTE_MS });
  const measured = await service.observe(arrivals);
  const after = turnOf(await service.observe(burstOf(BURST[size])));
  const simulated = simulate(
    measured.map(({ atMs, workspace, startedMs, endedMs }) => ({
      atMs,
      workspace,
      computeMs: endedMs - startedMs,
    })),
    { ...system, overheadMs: mean([before.refillMs, after.refillMs]) },
  );
  const pair = (figure: (runs: readonly Times[]) => number): Pair => ({
    measured: figure(measured),
    simulated: figure(simulated),
  });
  const throughput = pair(perSecondOf);
  const delayMean = pair((all) => mean(all.map(delayOf)));
  const delayP95 = pair((all) => quantile(all.map(delayOf), 0.95));
  const agrees = [throughput, delayMean].every((each) => Math.abs(differenceOf(each)) <= DIFFERENCE_MAX);
  const serviceMs = mean(measured.map(serviceOf));
  const refillMs = { before: before.refillMs, after: after.refillMs };
  return { load, runs, serviceMs, refillMs, perSecond: throughput, delayMean, delayP95, agrees };
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
 * Returns the mean time of a run, and the mean time from the end of a run to the start of the next one in its place: while
 * all places are taken, as many runs start in the sum of both as there are places. The first half of the burst is left
 * out, because its submissions use the processors as well.
 */
function turnOf(burst: readonly Observed[]): { serviceMs: number; refillMs: number } {
  const inOrder = burst.toSorted((one, other) => one.startedMs - other.startedMs);
  const half = inOrder.slice(Math.floor(inOrder.length / 2));
  const turns = half.slice(PLACES).map(({ startedMs }, at) => startedMs - half[at]!.startedMs);
  const serviceMs = mean(half.slice(0, -PLACES).map(serviceOf));
  return { serviceMs, refillMs: Math.max(0, mean(turns) - serviceMs) };
}

function serviceOf({ startedMs, endedMs }: Observed): number {
  return endedMs - startedMs;
}
