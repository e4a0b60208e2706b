import { countValues } from '#lib/numerics/simulation/bucket-counts.ts';
import { chunkMoments, MOMENTS } from '#lib/numerics/simulation/central-moments.ts';
import type { WealthChunk } from '#lib/numerics/simulation/wealth-paths.ts';
import type { Column, PathLayout } from './path-layout.ts';
import type { SimulationSetup } from './simulation-setup.ts';

/** The statistics of paths `first` to `first + count - 1`, at the positions of their layout. */
export type PathStore = {
  first: number;
  count: number;
  layout: PathLayout;
  numbers: Float64Array;
};

/** Memory that is reused for each chunk that is added to a store. */
type Scratch = { few: Float64Array; pairs: Float64Array };

export function chunkScratch(capacity: number): Scratch {
  return { few: new Float64Array(capacity), pairs: new Float64Array(capacity >> 1) };
}

/** Returns the counts by bucket of a column that is not stored exactly. */
export function bucketsOf(numbers: Float64Array, { at, window }: Column): Uint32Array {
  return new Uint32Array(numbers.buffer, numbers.byteOffset + 8 * at, window!.size);
}

/** Adds chunk number `place` to a store. The first `count` paths of the chunk are set. */
export function addChunk(
  { layout, numbers }: PathStore,
  chunk: WealthChunk,
  {
    setup,
    place,
    count,
    scratch,
  }: { setup: SimulationSetup; place: number; count: number; scratch: Scratch },
): void {
  const { capacity } = chunk;
  const wealthAt = (slot: number) => chunk.wealth.subarray(slot * capacity, (slot + 1) * capacity);
  const figures = [
    ...Array.from({ length: layout.fan }, (_, slot) => wealthAt(slot)),
    chunk.drawdown,
    ...(setup.plan.units ? [chunk.affordable] : []),
  ];
  let at = layout.momentsAt + place * layout.perChunk;
  for (const [which, values] of figures.entries()) {
    const column = layout.columns[which]!;
    if (column.window) countValues(bucketsOf(numbers, column), values, count, column.window);
    else numbers.set(values.subarray(0, count), column.at + place * capacity);
    chunkMoments(values, count, numbers, at);
    at += MOMENTS;
    if (!setup.antithetic) continue;
    const pairs = count >> 1;
    for (let pair = 0; pair < pairs; pair += 1)
      scratch.pairs[pair] = (values[2 * pair]! + values[2 * pair + 1]!) / 2;
    chunkMoments(scratch.pairs, pairs, numbers, at);
    at += MOMENTS;
  }
  let ruined = 0;
  for (let path = 0; path < count; path += 1)
    if (chunk.ruin[path]! > 0) {
      numbers[layout.ruinAt + chunk.ruin[path]! - 1]! += 1;
      scratch.few[ruined++] = chunk.unpaid[path]!;
    }
  chunkMoments(scratch.few, ruined, numbers, at);
  for (const [goal, { month, amount }] of setup.goals.entries()) {
    at += MOMENTS;
    const wealth = wealthAt(setup.plan.slots[month - 1]!);
    let missed = 0;
    for (let path = 0; path < count; path += 1)
      if (!(wealth[path]! >= amount)) scratch.few[missed++] = amount - wealth[path]!;
    numbers[layout.goalsAt + goal]! += count - missed;
    chunkMoments(scratch.few, missed, numbers, at);
  }
  const terminal = wealthAt(layout.fan - 1);
  for (let path = 0; path < count; path += 1) {
    if (terminal[path]! < setup.invested) numbers[layout.lossAt]! += 1;
    numbers[layout.longestAt + chunk.longest[path]!]! += 1;
    numbers[layout.belowAt + chunk.below[path]!]! += 1;
  }
}
