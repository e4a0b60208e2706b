/** Sums and sums of squares of N trials over some blocks. */
export type Sums = { sums: Float64Array; squares: Float64Array };

/**
 * Calls `visit` for each pair of complementary halves of the blocks, in the lexicographic order of the combinations
 * that contain block 0. `first` has the sums of the half with block 0, `second` those of the other half. If there are C
 * combinations, pair number i stands for two combinations: combination i, and combination C - 1 - i, in which the
 * halves are exchanged.
 *
 * `blocks`: the sums of N trials for each of an even number of blocks. Sums are added in the order of the blocks,
 * so that trials with equal returns in a half have equal bits there. The arrays are valid only during the call of
 * `visit`.
 * Time: about 4 additions of N numbers for a pair. Memory: one further copy of the sums of all blocks.
 */
export function eachSplit(blocks: readonly Sums[], visit: (first: Sums, second: Sums) => void): void {
  const half = blocks.length / 2;
  const trials = blocks[0]!.sums.length;
  const buffers = () => Array.from({ length: half + 1 }, () => emptySums(trials));
  const [firsts, seconds] = [buffers(), buffers()];
  const descend = (block: number, chosen: number): void => {
    const left = block - chosen;
    if (block === blocks.length) return visit(firsts[half]!, seconds[half]!);
    if (chosen < half) {
      add(firsts[chosen]!, blocks[block]!, firsts[chosen + 1]!);
      descend(block + 1, chosen + 1);
    }
    if (left < half && block > 0) {
      add(seconds[left]!, blocks[block]!, seconds[left + 1]!);
      descend(block + 1, chosen);
    }
  };
  descend(0, 0);
}

const emptySums = (trials: number): Sums => ({
  sums: new Float64Array(trials),
  squares: new Float64Array(trials),
});

function add(before: Sums, block: Sums, into: Sums): void {
  addTo(into.sums, before.sums, block.sums);
  addTo(into.squares, before.squares, block.squares);
}

function addTo(into: Float64Array, one: Float64Array, other: Float64Array): void {
  for (let trial = 0; trial < into.length; trial += 1) into[trial] = one[trial]! + other[trial]!;
}
