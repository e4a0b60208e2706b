import { expect } from 'chai';
import fc from 'fast-check';
import { NUMBERS_PER_CELL } from '#lib/database/number-range.ts';
import type { NumberRange } from '#lib/cells/manifest.ts';
import { passOver } from '#lib/cells/number-block.ts';
import { CellRefused } from '#lib/cells/refused.ts';

const CELLS = 5;
const number = fc.integer({ min: 1, max: CELLS * NUMBERS_PER_CELL });
/** The numbers of a workspace's rows, near the beginning of a cell's range or anywhere. */
const numbers = fc.array(
  fc.oneof(
    number,
    fc
      .record({ cell: fc.nat(CELLS - 1), at: fc.integer({ min: 1, max: 50 }) })
      .map(({ cell, at }) => cell * NUMBERS_PER_CELL + at),
  ),
  { minLength: 1, maxLength: 12 },
);
/** The cell of the target, undefined without a range, and how many numbers it has assigned. */
const target = fc.record({
  cell: fc.option(fc.nat(CELLS - 1), { nil: undefined }),
  assigned: fc.integer({ min: 0, max: 100 }),
});

describe('the kept numbers of an import', () => {
  it('never let the sequence go back, and never let it assign a number that a row has', () => {
    fc.assert(
      fc.property(numbers, target, fc.boolean(), (kept, { cell, assigned }, isReturning) => {
        const min = BigInt((cell ?? 0) * NUMBERS_PER_CELL + 1);
        const top = min + BigInt(NUMBERS_PER_CELL) - 1n;
        const max = cell === undefined ? 2n ** 31n - 1n : top;
        const next = min + BigInt(assigned);
        const within = kept.map(BigInt).filter((each) => each >= min && each <= top);
        try {
          const later = passOver(rangesOf(kept), { name: 'company', min, max, next, isReturning });
          expect(later.from >= next).to.equal(true);
          expect(later.to).to.equal(top);
          expect(within.filter((each) => each >= later.from)).to.deep.equal([]);
          if (within.every((each) => each < next)) expect(later.from).to.equal(next);
        } catch (error) {
          if (!(error instanceof CellRefused)) throw error;
          // Only a number that the target assigns later is refused.
          const largest = within.reduce((one, other) => (one > other ? one : other), 0n);
          expect(largest >= next && (!isReturning || largest > (min + top) / 2n)).to.equal(true);
        }
      }),
    );
  });

  it('advance the sequence by the rows in its range, also if other rows are above it', () => {
    const ranges = rangesOf([3, 901, NUMBERS_PER_CELL + 5]);
    const range = { name: 'company', min: 1n, max: BigInt(NUMBERS_PER_CELL), next: 500n };
    expect(passOver(ranges, { ...range, isReturning: true }).from).to.equal(902n);
    expect(() => passOver(ranges, { ...range, isReturning: false })).to.throw(/has the number 901/);
  });
});

/** Groups numbers by the range of their cell, as an export states them. */
function rangesOf(kept: readonly number[]): NumberRange[] {
  const byCell = Map.groupBy(kept, (each) => Math.floor((each - 1) / NUMBERS_PER_CELL));
  return [...byCell.values()]
    .map((each) => ({ from: Math.min(...each), to: Math.max(...each) }))
    .sort((one, other) => one.from - other.from);
}
