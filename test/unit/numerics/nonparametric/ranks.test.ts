import { expect } from 'chai';
import fc from 'fast-check';
import { medianRank } from '#lib/numerics/nonparametric/median-rank.ts';
import { selectDifference } from '#lib/numerics/nonparametric/select-difference.ts';
import { shiftRank } from '#lib/numerics/nonparametric/shift-rank.ts';

describe('medianRank', () => {
  // Values of R 4.2: k <- qbinom(0.025, n, 0.5); 1 - 2 * pbinom(k - 1, n, 0.5).
  const ranks: [n: number, rank: number, coverage: number][] = [
    [6, 1, 0.96875],
    [7, 1, 0.984375],
    [25, 8, 0.95671474933624268],
    [100, 40, 0.96479979978229513],
    [999, 469, 0.95024446271806573],
    [5000, 2431, 0.95068414189582817],
  ];
  for (const [n, rank, coverage] of ranks) {
    it(`equals R for ${n} values`, () => {
      const found = medianRank(n)!;
      expect(found.rank).to.equal(rank);
      expect(found.coverage).to.be.closeTo(coverage, 1e-12);
    });
  }

  it('is null below 6 values', () => {
    for (let n = 0; n < 6; n += 1) expect(medianRank(n)).to.equal(null);
  });

  it('is the largest rank that covers the level', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 1_200 }), (n) => {
        const { rank, coverage } = medianRank(n)!;
        expect(coverage).to.be.at.least(0.95);
        expect(coverage).to.be.below(1);
        const next = medianRank(n, coverage - 1e-9)!;
        expect(next.rank).to.equal(rank);
        expect(medianRank(n, coverage + 1e-9)?.rank ?? 0).to.equal(rank - 1);
      }),
      { numRuns: 50 },
    );
  });

  it('refuses a size that is not a whole number', () => {
    for (const n of [-1, 0.5, Number.NaN]) expect(() => medianRank(n)).to.throw(RangeError);
  });
});

describe('shiftRank', () => {
  // Values of R 4.2: qwilcox(0.025, m, n).
  const ranks: [first: number, second: number, rank: number | null][] = [
    [6, 6, 6],
    [10, 5, 9],
    [30, 7, 55],
    [50, 50, 966],
    [4, 3, null],
  ];
  for (const [first, second, rank] of ranks) {
    it(`equals R for ${first} and ${second} values`, () => {
      expect(shiftRank(first, second)?.rank ?? null).to.equal(rank);
      expect(shiftRank(second, first)?.rank ?? null).to.equal(rank);
    });
  }

  it('is within two ranks of the counted rank for larger samples', () => {
    const { rank, method } = shiftRank(60, 80)!;
    expect(method).to.equal('normal_approximation');
    expect(rank).to.be.within(1935 - 2, 1935);
  });
});

describe('selectDifference', () => {
  const list = fc
    .array(fc.bigInt({ min: -1_000n, max: 1_000n }), { minLength: 1, maxLength: 12 })
    .map((values) => values.toSorted((a, b) => Number(a - b)));

  it('equals the sorted differences at every rank', () => {
    fc.assert(
      fc.property(list, list, (first, second) => {
        const all = first.flatMap((x) => second.map((y) => x - y)).sort((a, b) => Number(a - b));
        const found = all.map((_, at) => selectDifference(first, second, at + 1));
        expect(found).to.deep.equal(all);
      }),
      { numRuns: 100 },
    );
  });

  it('refuses a rank that no difference has', () => {
    expect(() => selectDifference([1n], [2n], 0)).to.throw(RangeError);
    expect(() => selectDifference([1n], [2n], 2)).to.throw(RangeError);
  });
});
