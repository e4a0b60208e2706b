import type { Capacity, Cell } from './cell.ts';
import { storedBytesOf, walBytesOf, type Cost } from './cost.ts';

/** Prices in one currency. A month has 730 hours. */
export type Prices = {
  /** Of one processor with its memory, for an hour. */
  corePerHour: number;
  /** Of a gigabyte of disk, for a month. */
  storageGbPerMonth: number;
  /** Of one write a second that the disk guarantees in addition to those that are included, for a month. */
  iopsPerMonth: number;
  /** Writes a second of a cell that the price of the storage includes. */
  iopsIncluded: number;
};

/** The cells, storage and money for a number of runs a day. */
export type Fleet = {
  runsPerDay: number;
  cells: number;
  cores: number;
  /** Records within the retention, in gigabytes (10^9 bytes). */
  storedGb: number;
  /** Write-ahead log a day, in gigabytes. An archive of the log keeps it in addition. */
  walGbPerDay: number;
  perMonth: { processors: number; storage: number; operations: number; all: number };
  perMillionRuns: number;
};

const HOURS_A_MONTH = 730;
const DAYS_A_MONTH = HOURS_A_MONTH / 24;

/**
 * Returns the cells, the storage and the money that a number of runs a day takes.
 *
 * Units: `runsPerDay` above 0; money in the currency of the prices. Cells are whole, so a small load pays for one cell.
 * Disks are filled up to
 * the utilisation of the cell at the end of the retention, and paid for in full. IOPS are paid for those of the cells.
 * Errors: `RangeError` if `runsPerDay` is not above 0 or the cell carries nothing.
 *
 * @example
 * // A cell carries 1,000,000 runs a day.
 * fleetOf(2_500_000, { cell, cost, capacity, prices }).cells; // 3
 */
export function fleetOf(
  runsPerDay: number,
  of: { cell: Cell; cost: Cost; capacity: Pick<Capacity, 'perDay'>; prices: Prices },
): Fleet {
  const { cell, cost, capacity, prices } = of;
  if (!(runsPerDay > 0 && Number.isFinite(runsPerDay)))
    throw new RangeError(`runsPerDay must be above 0, got ${runsPerDay}`);
  if (!(capacity.perDay > 0)) throw new RangeError('the cell carries no runs');
  const cells = Math.max(1, Math.ceil(runsPerDay / capacity.perDay));
  const cores = cells * cell.cores;
  const storedGb = (runsPerDay * cell.retentionDays * storedBytesOf(cost)) / 1e9;
  const processors = cores * HOURS_A_MONTH * prices.corePerHour;
  const storage = (storedGb / cell.utilisation) * prices.storageGbPerMonth;
  const operations = cells * Math.max(0, cell.iops - prices.iopsIncluded) * prices.iopsPerMonth;
  const all = processors + storage + operations;
  return {
    runsPerDay,
    cells,
    cores,
    storedGb,
    walGbPerDay: (runsPerDay * walBytesOf(cost)) / 1e9,
    perMonth: { processors, storage, operations, all },
    perMillionRuns: (all / (runsPerDay * DAYS_A_MONTH)) * 1e6,
  };
}
