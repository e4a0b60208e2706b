import { expect } from 'chai';
import fc from 'fast-check';
import {
  partOfShare,
  shareOfValue,
  valueAt,
  valueCount,
  valueOfShare,
} from '#lib/numerics/search/axis-values.ts';
import { gridCount, gridNeighbours, gridPlaces, gridPoint, gridPoints } from '#lib/numerics/search/grid.ts';
import { nearestPoints } from '#lib/numerics/search/nearest-points.ts';
import { parameterStability } from '#lib/numerics/search/parameter-stability.ts';
import { plateau } from '#lib/numerics/search/plateau.ts';
import { randomPoint, randomPoints } from '#lib/numerics/search/random-search.ts';
import type { Axis, Space } from '#lib/numerics/search/space.ts';
import { spaceFaults } from '#lib/quant/optimizations/space-faults.ts';

const space: Space = [
  { name: 'lookback', low: 20, high: 60, step: 20 },
  { name: 'weight', values: ['equal', 'rank', 'signal', 'hrp'] },
];

const finiteAxis: fc.Arbitrary<Axis> = fc.oneof(
  fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 5 }).map((values) => ({ name: 'v', values })),
  fc
    .record({ low: fc.integer({ min: 1, max: 9 }), width: fc.integer({ min: 0, max: 9 }), log: fc.boolean() })
    .map(({ low, width, log }): Axis => ({
      name: 'i',
      low,
      high: low + width,
      integer: true,
      scale: log ? 'log' : 'linear',
    })),
  fc
    .record({ low: fc.integer({ min: -9, max: 9 }), count: fc.integer({ min: 0, max: 9 }) })
    .map(({ low, count }): Axis => ({ name: 's', low: low / 10, high: (low + 3 * count) / 10, step: 0.3 })),
);

describe('an axis of a search', () => {
  it('has exact decimal values if its step is a decimal', () => {
    const axis: Axis = { name: 'x', low: 0, high: 0.3, step: 0.1 };
    expect(valueCount(axis)).to.equal(4);
    expect([0, 1, 2, 3].map((place) => valueAt(axis, place))).to.deep.equal([0, 0.1, 0.2, 0.3]);
    const short: Axis = { name: 'x', low: 1, high: 2, step: 0.4 };
    expect([0, 1, 2].map((place) => valueAt(short, place))).to.deep.equal([1, 1.4, 1.8]);
    expect(valueCount(short)).to.equal(3);
  });

  it('maps every share to a value of the axis, and maps the middle of the shares of one value to that value', () => {
    fc.assert(
      fc.property(finiteAxis, fc.double({ min: -1, max: 2, noNaN: true }), (axis, share) => {
        const count = valueCount(axis);
        const values = Array.from({ length: count }, (_, place) => valueAt(axis, place));
        expect(new Set(values).size).to.equal(count);
        for (const value of values) expect(valueOfShare(axis, shareOfValue(axis, value))).to.equal(value);
        const value = valueOfShare(axis, share);
        expect(values).to.include(value);
        const part = partOfShare(axis, Math.min(1, Math.max(0, share)))!;
        const middle = part.from + (part.to - part.from) / 2;
        expect(valueOfShare(axis, middle)).to.equal(value);
      }),
    );
  });

  it('divides a logarithmic range evenly by logarithm', () => {
    const axis: Axis = { name: 'x', low: 0.01, high: 1, scale: 'log' };
    expect(valueOfShare(axis, 0.5)).to.be.closeTo(0.1, 1e-15);
    expect([valueOfShare(axis, 0), valueOfShare(axis, 1)]).to.deep.equal([0.01, 1]);
    expect(shareOfValue(axis, 0.1)).to.be.closeTo(0.5, 1e-15);
    expect(partOfShare(axis, 0.5)).to.equal(null);
  });

  it('rejects indices and words that it does not have', () => {
    for (const place of [-1, 3, 0.5, NaN]) expect(() => valueAt(space[0]!, place)).to.throw(RangeError);
    expect(() => valueAt({ name: 'x', low: 0, high: 1 }, 0)).to.throw(RangeError);
    expect(() => shareOfValue(space[1]!, 'none')).to.throw(RangeError);
    expect(() => shareOfValue(space[0]!, 'none')).to.throw(RangeError);
  });

  it('is refused with the code of its fault', () => {
    const cases: [Axis, string | undefined][] = [
      [{ name: 'a', values: [] }, 'empty'],
      [{ name: 'a', values: [1, NaN] }, 'not_finite'],
      [{ name: 'a', values: [1, 1] }, 'repeated_value'],
      [{ name: 'a', low: 0, high: Infinity }, 'not_finite'],
      [{ name: 'a', low: -1e308, high: 1e308 }, 'not_finite'],
      [{ name: 'a', low: 2, high: 1 }, 'reversed'],
      [{ name: 'a', low: 0, high: 1, step: 0 }, 'step'],
      [{ name: 'a', low: 1, high: 2, step: 1, scale: 'log' }, 'step'],
      [{ name: 'a', low: 0, high: 2, scale: 'log' }, 'log'],
      [{ name: 'a', low: 0, high: 2.5, integer: true }, 'integer'],
      [{ name: 'a', low: 0, high: 2, step: 0.5, integer: true }, 'integer'],
      [{ name: 'b', low: 1, high: 1 }, 'repeated_name'],
      [{ name: 'a', low: 1, high: 1 }, undefined],
    ];
    for (const [axis, reason] of cases)
      expect(
        spaceFaults([{ name: 'b', values: ['x', 1, true] }, axis])[0]?.reason,
        JSON.stringify(axis),
      ).to.equal(reason);
  });
});

describe('a grid', () => {
  it('has as many different points as its count states, and gives the same points in parts', () => {
    fc.assert(
      fc.property(fc.array(finiteAxis, { maxLength: 3 }), fc.nat(), (axes, start) => {
        const count = gridCount(axes);
        const points = gridPoints(axes, { first: 0, count });
        expect(new Set(points.map((each) => JSON.stringify(each))).size).to.equal(count);
        const first = start % count;
        expect(gridPoints(axes, { first, count: count - first })).to.deep.equal(points.slice(first));
      }),
    );
  });

  it('counts large and continuous spaces without building them', () => {
    const wide: Axis = { name: 'x', low: 0, high: 1e15, integer: true };
    expect(gridCount([wide])).to.equal(1e15 + 1);
    expect(gridCount([wide, wide])).to.be.closeTo(1e30, 1e16);
    expect(gridCount([{ name: 'x', low: 0, high: 1 }])).to.equal(Infinity);
    expect(() => gridPoint([wide, wide], 0)).to.throw(RangeError, /too large/);
    expect(() => gridPoint([{ name: 'x', low: 0, high: 1 }], 0)).to.throw(RangeError, /too large/);
  });

  it('changes the last axis first, and returns the neighbours of a point', () => {
    expect([gridPoint(space, 0), gridPoint(space, 5)]).to.deep.equal([
      [20, 'equal'],
      [40, 'rank'],
    ]);
    expect(gridNeighbours(space, 5)).to.deep.equal([1, 4, 6, 9]);
    expect(gridNeighbours(space, 0)).to.deep.equal([1, 4]);
    expect(gridNeighbours([{ name: 'x', values: [1] }], 0)).to.deep.equal([]);
    for (const index of [-1, 12, 0.5, NaN]) expect(() => gridPlaces(space, index)).to.throw(RangeError);
  });
});

describe('a random search', () => {
  const mixed: Space = [...space, { name: 'x', low: 0.001, high: 10, scale: 'log' }];

  it('draws the same point for a trial in every part', () => {
    const all = randomPoints(mixed, { seed: 9, first: 0, count: 50 });
    for (const first of [0, 1, 17, 49]) {
      expect(randomPoint(mixed, { seed: 9, trial: first })).to.deep.equal(all[first]);
      expect(randomPoints(mixed, { seed: 9, first, count: 1 })).to.deep.equal([all[first]]);
    }
    expect(randomPoint(mixed, { seed: 10, trial: 0 })).not.to.deep.equal(all[0]);
  });

  it('draws each value of a finite axis and each decade of a logarithmic range equally often', () => {
    const points = randomPoints(mixed, { seed: 1, first: 0, count: 4_000 });
    for (const value of [20, 40, 60])
      expect(points.filter(([lookback]) => lookback === value).length / 4_000).to.be.closeTo(1 / 3, 0.04);
    const low = points.filter(([, , x]) => Number(x) < 0.01).length / 4_000;
    expect(low).to.be.closeTo(0.25, 0.035);
  });

  it('rejects seeds and trials that are not integers', () => {
    expect(() => randomPoint(mixed, { seed: 0.5, trial: 0 })).to.throw(RangeError);
    expect(() => randomPoint(mixed, { seed: 1, trial: -1 })).to.throw(RangeError);
  });
});

describe('the plateau of the best trial', () => {
  it('is the median objective of the neighbours relative to the best', () => {
    expect(plateau([1, 2, 1.5], { best: 1, neighbours: [0, 2] })).to.equal(0.625);
    expect(plateau([null, 2, NaN, 1], { best: 1, neighbours: [0, 2, 3] })).to.equal(0);
    expect(plateau([3, 3, 3], { best: 0, neighbours: [1, 2] })).to.equal(1);
  });

  it('is null without neighbours or without an objective above 0', () => {
    expect(plateau([1], { best: 0, neighbours: [] })).to.equal(null);
    for (const own of [0, -1, null, NaN])
      expect(plateau([own, 1], { best: 0, neighbours: [1] })).to.equal(null);
    expect(() => plateau([1], { best: 0, neighbours: [1] })).to.throw(RangeError);
  });

  it('is computed from the nearest points, except points with equal values', () => {
    const axis: Axis = { name: 'x', low: 0, high: 10 };
    const points = [[5], [0], [6], [5], [4], [10]];
    expect(nearestPoints([axis], points, { index: 0 })).to.deep.equal([2, 4]);
    expect(nearestPoints([axis], points, { index: 0, count: 9 })).to.deep.equal([2, 4, 1, 5]);
    expect(() => nearestPoints([axis], points, { index: 6 })).to.throw(RangeError);
  });
});

describe('the stability of parameters', () => {
  it('counts changes from fold to fold', () => {
    const found = parameterStability(space, [
      [20, 'rank'],
      [20, 'rank'],
      [60, 'rank'],
    ]);
    expect(found).to.deep.equal({
      changed: 0.5,
      distinct: 2,
      axes: [
        { name: 'lookback', value: 20, share: 2 / 3, meanMove: (5 / 6 - 1 / 6) / 2 },
        { name: 'weight', value: 'rank', share: 1, meanMove: 0 },
      ],
    });
  });

  it('is null for one fold, and throws without a fold', () => {
    expect(parameterStability(space, [[20, 'hrp']])).to.include({ changed: null, distinct: 1 });
    expect(() => parameterStability(space, [])).to.throw(RangeError);
  });
});
