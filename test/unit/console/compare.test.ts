import { expect } from 'chai';
import fc from 'fast-check';
import { compareReadings, type Reading } from '#api/console/data/readings.ts';
import { differences } from '#api/console/runs/differences.ts';

describe('comparison of two readings of a series', () => {
  const reading = (values: Record<string, string | null>): Reading =>
    Object.entries(values).map(([observed_on, value]) => ({
      observed_on,
      value,
      known_at: `${observed_on}T00:00:00Z`,
    }));

  it('marks days as the same, added or revised', () => {
    const rows = compareReadings(
      reading({ '2020-01-01': '1.0', '2020-04-01': '2.0', '2020-07-01': '3.0' }),
      reading({ '2020-01-01': '1.0', '2020-04-01': '2.5', '2020-07-01': null, '2020-10-01': '4.0' }),
    );
    expect(rows.map(({ day, earlier, later, change }) => [day, earlier, later, change])).to.deep.equal([
      ['2020-01-01', 1, 1, 'same'],
      ['2020-04-01', 2, 2.5, 'revised'],
      ['2020-07-01', 3, null, 'revised'],
      ['2020-10-01', null, 4, 'added'],
    ]);
  });

  it('finds no change in equal readings, and has no row without observations', () => {
    const same = reading({ '2020-01-01': '1.10', '2020-04-01': null });
    expect(compareReadings(same, same).every(({ change }) => change === 'same')).to.equal(true);
    expect(compareReadings([], [])).to.deep.equal([]);
  });
});

describe('differences of two JSON values', () => {
  it('name each member that differs or is missing', () => {
    expect(
      differences({ a: 1, b: { c: [1, 2], d: 'x' }, e: null }, { a: 1, b: { c: [1, 3], d: 'x' }, f: true }),
    ).to.deep.equal([
      { path: '/b/c/1', first: 2, second: 3 },
      { path: '/e', first: null, second: undefined },
      { path: '/f', first: undefined, second: true },
    ]);
    expect(differences([1], { 0: 1 })).to.deep.equal([{ path: '/', first: [1], second: { 0: 1 } }]);
  });

  it('are an empty list exactly when the values are equal, in either order', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const [first, second] = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as unknown);
        expect(differences(first, structuredClone(first))).to.deep.equal([]);
        const isEqual = JSON.stringify(sorted(first)) === JSON.stringify(sorted(second));
        expect(differences(first, second).length === 0).to.equal(isEqual);
        expect(differences(second, first)).to.have.length(differences(first, second).length);
      }),
      {
        examples: [
          [{}, []],
          [{}, JSON.parse('{"__proto__":{}}')],
        ],
      },
    );
  });
});

/** Returns a JSON value in which each object is a list of its members, in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { members: members.map(([name, member]) => [name, sorted(member)]) };
}
