import { expect } from 'chai';
import { compareRanks } from '#lib/numerics/comparison/friedman.ts';
import { normalRangeQuantile, normalRangeTail } from '#lib/numerics/distributions/studentised-range.ts';

describe('the comparison by ranks', () => {
  const losses = [
    [9, 7, 6, 8, 5, 9, 4],
    [7, 5, 3, 8, 4, 7, 4],
    [6, 2, 3, 8, 1, 6, 2],
    [8, 6, 2, 7, 3, 9, 1],
  ];

  it('has the same statistic as scipy with ties, and gives the rank 1 to the smallest loss', () => {
    const { friedman, ranks } = compareRanks(losses, 0.05);
    // scipy.stats.friedmanchisquare of scipy 1.10.1.
    expect(friedman!.statistic).to.be.closeTo(11.190476190476188, 1e-11);
    expect(friedman!.p).to.be.closeTo(0.010739250980262483, 1e-12);
    expect([...ranks].reduce((total, each) => total + each)).to.be.closeTo(10, 1e-12);
  });

  it('has the critical distance of the published table', () => {
    // Demsar (2006), table 5: the critical distance divided by sqrt(k (k + 1) / (6 N)) is 2.343 for three models and
    // 3.164 for ten.
    const distance = (k: number, n: number) => {
      const rows = Array.from({ length: k }, (_, row) => Array.from({ length: n }, (__, at) => row + at));
      return compareRanks(rows, 0.05).criticalDistance / Math.sqrt((k * (k + 1)) / (6 * n));
    };
    expect(distance(3, 14)).to.be.closeTo(2.343, 1e-3);
    expect(distance(10, 30)).to.be.closeTo(3.164, 1e-3);
  });

  it('has no Friedman test if every loss is tied, and no F if every block has the same ranks', () => {
    const tied = compareRanks(
      [
        [1, 1],
        [1, 1],
      ],
      0.05,
    );
    expect(tied.friedman).to.equal(null);
    expect([...tied.againstBest]).to.deep.equal([1, 1]);
    const same = compareRanks(
      [
        [1, 1, 1],
        [2, 2, 2],
      ],
      0.05,
    );
    expect(same.friedman).to.deep.include({ f: null, fP: null, statistic: 3, degrees: 1 });
  });

  it('refuses a single model, a single block and rows of different lengths', () => {
    for (const rows of [[[1, 2]], [[1], [2]], [[1, 2], [1]], []])
      expect(() => compareRanks(rows, 0.05)).to.throw(RangeError);
  });
});

describe('the studentised range', () => {
  it('has the quantiles of scipy', () => {
    // scipy.stats.studentized_range.ppf(0.95, k, inf) of scipy 1.10.1.
    const quantiles = [
      [2, 2.771807648699355],
      [3, 3.314493155398122],
      [10, 4.474124221725907],
      [51, 5.65899320381105],
    ];
    for (const [k, q] of quantiles) expect(normalRangeQuantile(0.05, k!)).to.be.closeTo(q!, 1e-12);
  });

  it('is 1 at 0 and below, and refuses a single value', () => {
    expect(normalRangeTail(0, 4)).to.equal(1);
    expect(normalRangeTail(-3, 4)).to.equal(1);
    expect(normalRangeTail(60, 4)).to.be.below(1e-9);
    expect(() => normalRangeTail(1, 1)).to.throw(RangeError);
  });
});
