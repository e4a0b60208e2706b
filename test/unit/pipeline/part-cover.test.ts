import { expect } from 'chai';
import fc from 'fast-check';
import { coverOf, groupsOf, missingParts, type StoredPart } from '#lib/pipeline/part-cover.ts';

const part = (first: number, count: number, bytes = count * 8): StoredPart => ({
  round: 0,
  first,
  count,
  bytes,
});
const spans = (parts: readonly Pick<StoredPart, 'first' | 'count'>[] | undefined) =>
  parts?.map(({ first, count }) => [first, count]);

describe('coverOf', () => {
  it('joins the parts in order', () => {
    expect(spans(coverOf([part(5, 5), part(0, 5)], 0, 10))).to.deep.equal([
      [0, 5],
      [5, 5],
    ]);
  });

  it('returns no parts for a range without samples', () => {
    expect(coverOf([part(0, 5)], 5, 5)).to.deep.equal([]);
  });

  it('finds the parts of one division among the parts of two divisions', () => {
    const longest = [part(0, 15), part(0, 10), part(10, 10)];
    expect(spans(coverOf(longest, 0, 20))).to.deep.equal([
      [0, 10],
      [10, 10],
    ]);
    expect(spans(coverOf([part(0, 10), part(0, 15), part(10, 9), part(15, 5)], 0, 20))).to.deep.equal([
      [0, 15],
      [15, 5],
    ]);
  });

  it('returns undefined if a sample is in no part, or if a part reaches past the end', () => {
    expect(coverOf([part(0, 5), part(6, 4)], 0, 10)).to.equal(undefined);
    expect(coverOf([part(0, 11)], 0, 10)).to.equal(undefined);
    expect(coverOf([], 0, 1)).to.equal(undefined);
  });

  it('finds a cover exactly when one exists', () => {
    const parts = fc.array(fc.tuple(fc.nat(8), fc.integer({ min: 1, max: 4 })), { maxLength: 12 });
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 10 }), (given, to) => {
        const stored = given.map(([first, count]) => part(first, count));
        const reaches = (from: number): boolean =>
          from === to ||
          stored.some(({ first, count }) => first === from && first + count <= to && reaches(first + count));
        const found = coverOf(stored, 0, to);
        expect(found !== undefined).to.equal(reaches(0));
        let next = 0;
        for (const each of found ?? []) {
          expect(each.first).to.equal(next);
          next += each.count;
        }
        if (found) expect(next).to.equal(to);
      }),
    );
  });
});

describe('missingParts', () => {
  const divided = (count: number, end: number) =>
    Array.from({ length: Math.ceil(end / count) }, (_, at) =>
      part(at * count, Math.min(count, end - at * count)),
    );

  it('has no part if the parts of another division contain the whole round', () => {
    expect(missingParts(divided(7, 20), divided(5, 20))).to.deep.equal([]);
  });

  it('begins at the last place that another division also reaches', () => {
    const stored = divided(4, 30).slice(0, 6);
    expect(spans(missingParts(stored, divided(6, 30)))).to.deep.equal([[24, 6]]);
    expect(spans(missingParts(stored.slice(0, 5), divided(6, 30)))).to.deep.equal([
      [12, 6],
      [18, 6],
      [24, 6],
    ]);
  });

  it('completes the round with any stored parts, and never repeats a stored part', () => {
    const parts = fc.array(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 6 })), { maxLength: 12 });
    fc.assert(
      fc.property(
        parts,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        (given, count, end) => {
          const stored = given.map(([first, size]) => part(first, size));
          const missing = missingParts(stored, divided(count, end));
          const all = [...stored, ...missing.map(({ first, count: size }) => part(first, size))];
          expect(coverOf(all, 0, end)).to.not.equal(undefined);
          const known = new Set(stored.map((each) => `${each.first} ${each.count}`));
          expect(missing.some((each) => known.has(`${each.first} ${each.count}`))).to.equal(false);
        },
      ),
    );
  });
});

describe('groupsOf', () => {
  const sizes = (parts: StoredPart[]) =>
    groupsOf(parts, { bytesMax: 100, most: 3 }).map((group) => group.map(({ bytes }) => bytes));

  it('begins a new group when the bytes exceed the limit', () => {
    expect(sizes([part(0, 1, 60), part(1, 1, 40), part(2, 1, 1)])).to.deep.equal([[60, 40], [1]]);
  });

  it('begins a new group when the number of parts reaches the limit', () => {
    expect(sizes([0, 1, 2, 3].map((first) => part(first, 1, 1)))).to.deep.equal([[1, 1, 1], [1]]);
  });

  it('puts a part above the limit into a group of its own', () => {
    expect(sizes([part(0, 1, 10), part(1, 1, 500), part(2, 1, 10)])).to.deep.equal([[10], [500], [10]]);
    expect(sizes([])).to.deep.equal([]);
  });
});
