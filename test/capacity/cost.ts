/**
 * - **unit**: a piece of work that a caller or an operator requests, such as a run, a read or one imported row.
 * - **cost**: what one unit takes from the machine. Costs of units can be added, because each is measured apart.
 * - **mix**: how many units of each kind belong to one run, such as 2 reads a run.
 */
export const parts = ['api', 'worker', 'postgres', 'redis'] as const;
export type Part = (typeof parts)[number];

/** The kinds of runs, from the cheapest to the dearest. */
export const runUnits = ['no_op_run', 'forecast_run', 'scenario_run', 'factor_run'] as const;
export type RunUnit = (typeof runUnits)[number];

/** The units that accompany runs. */
export const otherUnits = ['read', 'authorize_and_settle', 'register_obligation', 'imported_price'] as const;
export const units = [...runUnits, ...otherUnits] as const;
export type Unit = (typeof units)[number];

/** Bytes that a unit adds to the data files. */
export type StoredBytes = { table: number; index: number; toast: number };

/** The resources that one unit takes. Every member is per unit and at least 0. */
export type Cost = {
  /** Processor time in milliseconds, by the processes of each part. */
  processorMs: Record<Part, number>;
  /** Bytes of the write-ahead log, without full-page images. */
  walBytes: number;
  /** Flushes of the write-ahead log to the disk. Transactions that commit together share one. */
  walFlushes: number;
  /** Data pages of 8 KiB that PostgreSQL writes to the disk. */
  pageWrites: number;
  storedBytes: StoredBytes;
  /** Times that a client waits for an answer of PostgreSQL. */
  postgresTrips: number;
  /** Times that a client waits for an answer of the queue, if Redis stores it. */
  queueTrips: number;
  /** Milliseconds in which a database connection is in use: in a statement, or in a transaction between statements. */
  connectionMs: number;
  /** Milliseconds in which a run takes one of the places of a worker; 0 for units that are not runs. */
  slotMs: number;
};

/** Units for each run, by kind. */
export type Mix = Partial<Record<Unit, number>>;

/** The cost of doing nothing. */
export const noCost: Cost = {
  processorMs: { api: 0, worker: 0, postgres: 0, redis: 0 },
  walBytes: 0,
  walFlushes: 0,
  pageWrites: 0,
  storedBytes: { table: 0, index: 0, toast: 0 },
  postgresTrips: 0,
  queueTrips: 0,
  connectionMs: 0,
  slotMs: 0,
};

/**
 * Returns the cost of one run of a mix: the sum of the costs of its units, each times its number.
 *
 * Units: as in `Cost`. Errors: `RangeError` if a number is negative or not finite.
 *
 * @example
 * costOfMix({ ...costs, read: { ...noCost, walBytes: 3 } }, { read: 2 }).walBytes; // 6
 */
export function costOfMix(costs: Readonly<Record<Unit, Cost>>, mix: Mix): Cost {
  return units.reduce((sum, unit) => {
    const times = mix[unit] ?? 0;
    if (!(times >= 0 && Number.isFinite(times))) {
      throw new RangeError(`the number of ${unit} in a mix must be at least 0, got ${times}`);
    }
    return times === 0 ? sum : added(sum, costs[unit], times);
  }, noCost);
}

/** Returns `sum + times x cost`, member by member. */
function added<T>(sum: T, cost: T, times: number): T {
  if (typeof sum === 'number') return (sum + times * (cost as number)) as T;
  const members = Object.entries(sum as Record<string, unknown>).map(([name, member]) => [
    name,
    added(member, (cost as Record<string, unknown>)[name], times),
  ]);
  return Object.fromEntries(members) as T;
}

/** Returns all processor time of a cost in milliseconds. */
export function processorMsOf({ processorMs }: Cost): number {
  return parts.reduce((sum, part) => sum + processorMs[part], 0);
}

/** Returns all bytes that a cost adds to the data files. */
export function storedBytesOf({ storedBytes: { table, index, toast } }: Cost): number {
  return table + index + toast;
}

const PAGE_BYTES = 8_192;

/**
 * Returns the bytes of the write-ahead log of a cost with full-page images: PostgreSQL logs a whole page at its first
 * change after a checkpoint, so each page that it writes to the disk was logged once. Source: PostgreSQL manual, "WAL
 * Configuration", `full_page_writes`.
 *
 * @example
 * walBytesOf({ ...noCost, walBytes: 5_000, pageWrites: 2 }); // 21384
 */
export function walBytesOf({ walBytes, pageWrites }: Cost): number {
  return walBytes + pageWrites * PAGE_BYTES;
}
