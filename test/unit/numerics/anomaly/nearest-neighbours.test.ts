import { expect } from 'chai';
import fc from 'fast-check';
import { nearPairs } from '#lib/numerics/anomaly/near-pairs.ts';
import {
  nearestAmong,
  nearestNeighbours,
  type Neighbours,
} from '#lib/numerics/anomaly/nearest-neighbours.ts';
import type { Table } from '#lib/numerics/anomaly/table.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { repetitions } from '../../../support/repetitions.ts';

/** Returns the nearest neighbours by comparing all pairs, ordered by distance and then by row. */
function byDefinition(
  rows: Table,
  reference: Table,
  k: number,
  isLeftOut: (row: number, other: number) => boolean,
): Neighbours {
  const D = rows.dimensions;
  const found = Array.from({ length: rows.values.length / D }, (_, row) => {
    const near = Array.from({ length: reference.values.length / D }, (_, place) => {
      let square = 0;
      for (let d = 0; d < D; d += 1) {
        const off = rows.values[row * D + d]! - reference.values[place * D + d]!;
        square += off * off;
      }
      return { place, distance: isLeftOut(row, place) ? Infinity : Math.sqrt(square), square };
    }).filter(({ distance }) => distance < Infinity);
    near.sort((one, other) => one.square - other.square || one.place - other.place);
    return Array.from({ length: k }, (_, at) => near[at] ?? { place: 0, distance: Infinity });
  }).flat();
  return {
    places: Int32Array.from(found, ({ place }) => place),
    distances: Float64Array.from(found, ({ distance }) => distance),
    k,
  };
}

/**
 * Kinds of numbers: equal numbers, numbers that differ only in the last digits, ordinary numbers, and numbers
 * outside the range of 32-bit floats.
 */
const kinds = [
  fc.integer({ min: 0, max: 2 }),
  fc.integer({ min: 0, max: 40 }).map((steps) => 1 + steps * 1.7e-8),
  fc.double({ min: -3, max: 3, noNaN: true }),
  fc.oneof({ weight: 9, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) }, fc.constant(1e30)),
  fc.integer({ min: 0, max: 3 }).map((steps) => steps * 3e-23),
];

const searches = fc
  .record({
    dimensions: fc.integer({ min: 1, max: 9 }),
    size: fc.integer({ min: 2, max: 150 }),
    others: fc.integer({ min: 0, max: 9 }),
    kind: fc.constantFrom(...kinds),
    k: fc.integer({ min: 1, max: 8 }),
    apart: fc.integer({ min: 0, max: 5 }),
  })
  .chain(({ dimensions, size, others, kind, k, apart }) => {
    const table = (rows: number) =>
      fc
        .array(kind, { minLength: rows * dimensions, maxLength: rows * dimensions, size: 'max' })
        .map((values): Table => ({ values: Float64Array.from(values), dimensions }));
    return fc.record({
      reference: table(size),
      rows: table(others),
      k: fc.constant(Math.min(k, size - 1)),
      apart: fc.constant(apart),
    });
  });

describe('nearest neighbours', () => {
  it('equal the result of comparing all pairs, to the bit', () => {
    fc.assert(
      fc.property(searches, ({ reference, rows, k, apart }) => {
        expect(nearestAmong(reference, k, apart)).to.deep.equal(
          byDefinition(reference, reference, k, (row, other) => Math.abs(row - other) <= apart),
        );
        expect(nearestNeighbours(rows, reference, k)).to.deep.equal(
          byDefinition(rows, reference, k, () => false),
        );
      }),
      { numRuns: repetitions.arrays },
    );
  });

  it('are found by visiting at most 1,000 of the 499,500 pairs of rows', () => {
    const values = new Float64Array(1_000 * 8);
    fillNormals(values, { seed: 1, firstSample: 0, dimensions: 8 });
    const table: Table = { values, dimensions: 8 };
    const pairs = nearPairs(table);
    for (let row = 0; row < 1_000; row += 1) pairs.lower(row, 0.5);
    let visited = 0;
    pairs.forEach(() => {
      visited += 1;
    });
    expect(visited).to.be.within(1, 1_000);
  });

  it('cannot be computed for more neighbours than other rows', () => {
    const two: Table = { values: Float64Array.of(1, 2), dimensions: 1 };
    expect(() => nearestAmong(two, 2)).to.throw(RangeError);
    expect(() => nearestNeighbours(two, two, 3)).to.throw(RangeError);
    expect([...nearestNeighbours(two, two, 2).places]).to.deep.equal([0, 1, 1, 0]);
  });
});
