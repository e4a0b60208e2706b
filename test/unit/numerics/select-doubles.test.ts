import { expect } from 'chai';
import fc from 'fast-check';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { sampleStatistics, statisticRanks } from '#lib/numerics/scenario/sample-statistics.ts';
import { selectDoubles, type Ranks } from '#lib/numerics/select-doubles.ts';
import { repetitions } from '../../support/repetitions.ts';

const normals = new Float64Array(20_000);
fillNormals(normals, { seed: 3, firstSample: 0, dimensions: 1 });

const expectSelected = (values: Float64Array, ranks: readonly Ranks[]) => {
  const [found, sorted] = [selectDoubles(values, ranks), values.slice().sort()];
  for (const { from, to } of ranks) {
    for (let rank = from; rank < Math.min(to, sorted.length); rank += 1)
      if (!Object.is(found[rank], sorted[rank])) expect.fail(`${rank}: ${found[rank]}, not ${sorted[rank]}`);
  }
};

describe('selectDoubles', () => {
  it('gives the same values as sorting at the requested ranks, to the bit', () => {
    const kinds: ((value: number, at: number) => number)[] = [
      (value) => value,
      (value) => Math.round(value * 4),
      (value) => value * value * value * 1e6,
      (value) => 1 + value * 1e-9,
      () => 7,
      (value, at) => (at % 5_000 === 0 ? value * 1e300 : value),
      (value, at) => (at % 3 === 0 ? -0 : value),
      (value, at) => (at % 9_000 === 0 ? Infinity : value),
    ];
    const ranks = fc.tuple(fc.nat(20_000), fc.nat(300)).map(([from, more]) => ({ from, to: from + more }));
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.array(ranks, { maxLength: 8 }),
        fc.integer({ min: 0, max: 20_000 }),
        (kind, wanted, length) => expectSelected(normals.subarray(0, length).map(kind), wanted),
      ),
      { numRuns: repetitions.arrays },
    );
  });

  it('gives the same sample statistics as sorting', () => {
    for (const length of [1, 2, 100, 8_191, 8_192, 10_001, 19_999, 20_000]) {
      const values = normals.subarray(0, length);
      const selected = selectDoubles(values, statisticRanks(length));
      expect(sampleStatistics(values, selected)).to.deep.equal(sampleStatistics(values));
    }
  });
});
