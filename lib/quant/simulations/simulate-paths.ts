import type { Control } from '#lib/core/run.ts';
import { bucketWindow, type BucketWindow } from '#lib/numerics/simulation/bucket-counts.ts';
import { walkWealth, wealthChunk, type WealthChunk } from '#lib/numerics/simulation/wealth-paths.ts';
import { exactColumns, pathLayout } from './path-layout.ts';
import { addChunk, chunkScratch, type PathStore } from './path-store.ts';
import { CHUNK, type SimulationSetup } from './simulation-setup.ts';

/**
 * Maximum number of paths and of growth factors that are drawn at a time. A cancellation takes effect after
 * the current batch.
 */
const BATCH_PATHS_MAX = 1_024;
const BATCH_CELLS_MAX = 65_536;

/** Thrown when the run was cancelled. */
export class SimulationCancelled extends Error {
  override readonly name = 'SimulationCancelled';
}

/**
 * Simulates paths `first` to `first + count - 1` and returns their statistics, in a layout for `capacity` paths.
 * `first` is a multiple of the chunk. A path has the same bits in every division.
 * Errors: `SimulationCancelled` after a cancellation.
 */
export function simulatePaths(
  setup: SimulationSetup,
  { first, count, capacity = count }: { first: number; count: number; capacity?: number },
  control: Control,
): PathStore {
  const layout = pathLayout(setup, capacity, windowsOf(setup, control));
  const store: PathStore = { first, count, layout, numbers: new Float64Array(layout.length) };
  const chunk = chunkFor(setup);
  const growth = growthFor(setup);
  const scratch = chunkScratch(CHUNK);
  for (let done = 0; done < count; done += CHUNK) {
    const paths = Math.min(CHUNK, count - done);
    fillChunk({ chunk, growth }, setup, { first: first + done, paths }, (share) => {
      if (control.cancelled()) throw new SimulationCancelled('the simulation was cancelled');
      control.progress((done + share * paths) / count);
    });
    addChunk(store, chunk, { setup, place: done / CHUNK, count: paths, scratch });
  }
  return store;
}

/** Returns the layout of a part of a simulation, without simulating its paths. */
export function partLayout(setup: SimulationSetup, capacity: number, control: Control) {
  return pathLayout(setup, capacity, windowsOf(setup, control));
}

/**
 * Returns the buckets of the columns that are not stored exactly. The buckets come from the first chunk of the
 * simulation. Every part draws this chunk, so the buckets are the same for every part.
 */
function windowsOf(setup: SimulationSetup, control: Control): (BucketWindow | null)[] {
  const isExact = exactColumns(setup);
  if (isExact.every(Boolean)) return isExact.map(() => null);
  const pilot = chunkFor(setup);
  fillChunk({ chunk: pilot, growth: growthFor(setup) }, setup, { first: 0, paths: CHUNK }, () => {
    if (control.cancelled()) throw new SimulationCancelled('the simulation was cancelled');
  });
  return isExact.map((exact, place) => {
    if (exact) return null;
    const fan = setup.fanMonths.length;
    if (place < fan) return bucketWindow(pilot.wealth.subarray(place * CHUNK, (place + 1) * CHUNK));
    return bucketWindow(place === fan ? pilot.drawdown : pilot.affordable);
  });
}

function chunkFor({ plan }: SimulationSetup): WealthChunk {
  return wealthChunk(CHUNK, plan.slots.reduce((most, slot) => Math.max(most, slot), -1) + 1);
}

/**
 * Creates the memory for the growth factors of a batch: an even number of paths, so that both paths of an
 * antithetic pair are in one batch.
 */
function growthFor({ horizon }: SimulationSetup): Float64Array {
  const paths = 2 * Math.floor(Math.min(BATCH_PATHS_MAX, BATCH_CELLS_MAX / horizon) / 2);
  return new Float64Array(paths * horizon);
}

function fillChunk(
  { chunk, growth }: { chunk: WealthChunk; growth: Float64Array },
  { horizon, draw, plan }: SimulationSetup,
  { first, paths }: { first: number; paths: number },
  onBatch: (share: number) => void,
): void {
  const batch = growth.length / horizon;
  for (let done = 0; done < paths; done += batch) {
    const count = Math.min(batch, paths - done);
    const part = growth.subarray(0, count * horizon);
    draw(part, first + done, count);
    walkWealth(chunk, part, plan, done);
    onBatch((done + count) / paths);
  }
}
