import type { Cell } from '../capacity/cell.ts';

/** A small cell with round figures. */
export const cell: Cell = {
  cores: 4,
  memoryGb: 16,
  iops: 3_000,
  walMbPerS: 125,
  storageGb: 1_000,
  connections: 100,
  concurrency: 1,
  utilisation: 0.6,
  peakFactor: 3,
  retentionDays: 100,
};
