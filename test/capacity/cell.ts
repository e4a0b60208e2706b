import { processorMsOf, storedBytesOf, walBytesOf, parts, type Cost, type Part } from './cost.ts';

/**
 * A cell is one machine with a whole installation: PostgreSQL, Redis, API processes, workers and the scheduler. A
 * workspace belongs to one cell, and cells share nothing.
 */
export type Cell = {
  /** Processors that all parts share. */
  cores: number;
  /** Memory in gigabytes (10^9 bytes). */
  memoryGb: number;
  /** Writes to the disk a second. */
  iops: number;
  /** Bandwidth of the disk for the write-ahead log, in megabytes (10^6 bytes) a second. */
  walMbPerS: number;
  /** Disk for data, in gigabytes. */
  storageGb: number;
  /** Connections that PostgreSQL accepts, without those reserved for operators. */
  connections: number;
  /** Runs that a worker process computes at the same time. */
  concurrency: number;
  /** The share of processors, disk and connections that may be in use at the peak, above 0 and at most 1. */
  utilisation: number;
  /** The rate of the busiest second divided by the average rate of a day, at least 1. */
  peakFactor: number;
  /** Days for which records are kept. */
  retentionDays: number;
  /** The number of API processes and of workers. Default: as many as the cell can use, see `layoutOf`. */
  layout?: Partial<Layout>;
};

/** Memory of each process in megabytes, and the connections that each process holds at most. */
export type Footprint = {
  memoryMb: { api: number; worker: number; scheduler: number; connection: number; redis: number };
  connections: { api: number; worker: number };
  /** Processor time that the processes use without work, in milliseconds a second. */
  idleMsPerS: number;
};

/** The number of processes of a cell. */
export type Layout = { api: number; workers: number };

/** The resources that can limit the rate of a cell. */
export const boundNames = [
  'processor',
  'api_process',
  'worker_places',
  'queue_round_trips',
  'wal_bandwidth',
  'disk_operations',
  'connections',
  'storage',
] as const;
export type BoundName = (typeof boundNames)[number];

/** A limit of a cell. */
export type Bound = {
  name: BoundName;
  /** Runs a second at the peak that the limit allows; Infinity if runs do not use it. */
  perSecond: number;
  /** The quantities behind the limit, for people. */
  detail: string;
};

export type Capacity = {
  layout: Layout;
  /** All limits, the tightest first. */
  bounds: Bound[];
  /** Runs a second at the peak. */
  perSecond: number;
  /** Runs on a day whose peak is `peakFactor` times its average. */
  perDay: number;
  memory: { neededGb: number; fits: boolean };
};

const DAY_S = 86_400;
/** The part of the memory of a cell that PostgreSQL's shared buffers take, as its manual recommends. */
const SHARED_BUFFERS = 0.25;

/**
 * Returns what a cell carries of a mix, and its limits in order.
 *
 * Units: runs a second at the busiest second, and runs a day. A limit on a resource with n units, of which a run takes
 * c, is `n x utilisation / c` runs a second (the utilisation law, Denning and Buzen 1978, "The Operational Analysis of
 * Queueing Network Models", section 3). Storage limits the average rate; it is multiplied by the peak factor to compare
 * it with the other limits.
 * Errors: `RangeError` if a number of the cell is outside its range. A run that costs nothing has no limit: Infinity.
 *
 * @example
 * // 4 processors, 60 % in use, 10 ms a run
 * capacityOf(cell, costOf10Ms, footprint).bounds[0]; // { name: 'processor', perSecond: 240, ... }
 */
export function capacityOf(cell: Cell, cost: Cost, footprint: Footprint): Capacity {
  requireCell(cell);
  const layout = { ...layoutOf(cell, cost), ...cell.layout };
  const bounds = boundsOf(cell, cost, layout, footprint).toSorted((a, b) => a.perSecond - b.perSecond);
  const { perSecond } = bounds[0]!;
  const neededGb = memoryGbOf(cell, layout, footprint);
  return {
    layout,
    bounds,
    perSecond,
    perDay: (perSecond / cell.peakFactor) * DAY_S,
    memory: { neededGb, fits: neededGb <= cell.memoryGb },
  };
}

/**
 * Returns the processes of a cell: as many API processes as their share of the processor time fills processors, because
 * an API process uses one processor, and as many workers as the runs in progress need places. At least one of each.
 *
 * @example
 * layoutOf({ ...cell, cores: 8 }, { ...noCost, processorMs: { api: 1, worker: 3, postgres: 4, redis: 0 } });
 * // { api: 1, workers: 3 } with a concurrency of 1
 */
export function layoutOf(cell: Pick<Cell, 'cores' | 'concurrency'>, cost: Cost): Layout {
  const all = processorMsOf(cost);
  if (all === 0) return { api: 1, workers: 1 };
  const coresOf = (part: Part) => (cell.cores * cost.processorMs[part]) / all;
  // Little's law: runs in progress = rate x time in a place, at the rate at which the processors are busy.
  const places = (cell.cores / all) * cost.slotMs;
  return {
    api: Math.max(1, wholeUp(coresOf('api'))),
    workers: Math.max(1, wholeUp(coresOf('worker')), wholeUp(places / cell.concurrency)),
  };
}

/** Rounds up, but treats a number that exceeds an integer only by a rounding error as this integer. */
function wholeUp(value: number): number {
  return Math.ceil(value - 1e-9);
}

function boundsOf(cell: Cell, cost: Cost, layout: Layout, footprint: Footprint): Bound[] {
  const { processorMs } = cost;
  const all = processorMsOf(cost);
  const places = layout.workers * cell.concurrency;
  const pools = layout.api * footprint.connections.api + layout.workers * footprint.connections.worker;
  const connections = Math.min(cell.connections, pools);
  const operations = cost.walFlushes + cost.pageWrites;
  const stored = storedBytesOf(cost);
  /** `have`: what the cell has a second. `each`: what a run takes. */
  const limit = (name: BoundName, have: number, each: number, detail: string): Bound => ({
    name,
    perSecond: each === 0 ? Infinity : (have * cell.utilisation) / each,
    detail,
  });
  return [
    limit(
      'processor',
      Math.max(0, cell.cores * 1_000 - footprint.idleMsPerS),
      all,
      `${cell.cores} processors; ${sharesOf(cost)}`,
    ),
    limit(
      'api_process',
      layout.api * 1_000,
      processorMs.api,
      `API processes: ${layout.api}, one thread each`,
    ),
    limit(
      'worker_places',
      places * 1_000,
      cost.slotMs,
      `workers: ${layout.workers}, with ${cell.concurrency} places each`,
    ),
    limit(
      'queue_round_trips',
      1_000,
      processorMs.redis,
      `${round(cost.queueTrips)} a run, one thread of Redis`,
    ),
    limit(
      'wal_bandwidth',
      cell.walMbPerS * 1e6,
      walBytesOf(cost),
      `${round(walBytesOf(cost) / 1e3)} kB a run, ${cell.walMbPerS} MB/s`,
    ),
    limit('disk_operations', cell.iops, operations, `${round(operations)} writes a run, ${cell.iops} IOPS`),
    limit(
      'connections',
      connections * 1_000,
      cost.connectionMs,
      `${connections} connections, ${round(cost.connectionMs)} ms a run`,
    ),
    limit(
      'storage',
      (cell.storageGb * 1e9 * cell.peakFactor) / (cell.retentionDays * DAY_S),
      stored,
      `${round(stored / 1e3)} kB a run, kept for ${cell.retentionDays} days on ${cell.storageGb} GB`,
    ),
  ];
}

/** Lists the parts with their shares of the processor time, the largest first. Example: `postgres 50 %, api 50 %`. */
function sharesOf(cost: Cost): string {
  const all = processorMsOf(cost);
  return parts
    .map((part) => ({ part, share: all === 0 ? 0 : cost.processorMs[part] / all }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
    .map(({ part, share }) => `${part} ${Math.round(share * 100)} %`)
    .join(', ');
}

/** Memory that the processes of a cell need, in gigabytes, with PostgreSQL's shared buffers. */
function memoryGbOf(cell: Cell, layout: Layout, { memoryMb, connections }: Footprint): number {
  const sessions = Math.min(
    cell.connections,
    layout.api * connections.api + layout.workers * connections.worker,
  );
  const processes =
    layout.api * memoryMb.api +
    layout.workers * memoryMb.worker +
    memoryMb.scheduler +
    memoryMb.redis +
    sessions * memoryMb.connection;
  return processes / 1e3 + cell.memoryGb * SHARED_BUFFERS;
}

function requireCell(cell: Cell): void {
  const { utilisation, peakFactor, concurrency, layout = {}, ...positive } = cell;
  for (const [name, value] of Object.entries({ ...positive, ...layout })) {
    if (!(value > 0 && Number.isFinite(value))) throw new RangeError(`${name} must be above 0, got ${value}`);
  }
  if (!(utilisation > 0 && utilisation <= 1)) {
    throw new RangeError(`utilisation must be above 0 and at most 1, got ${utilisation}`);
  }
  if (!(peakFactor >= 1 && Number.isFinite(peakFactor))) {
    throw new RangeError(`peakFactor must be at least 1, got ${peakFactor}`);
  }
  if (!(Number.isInteger(concurrency) && concurrency >= 1)) {
    throw new RangeError(`concurrency must be a whole number above 0, got ${concurrency}`);
  }
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
