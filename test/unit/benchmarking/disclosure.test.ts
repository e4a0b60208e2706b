import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { cohortsOf, sizeBandOf } from '#lib/benchmarking/cohorts.ts';
import { discloseCells, type Contribution } from '#lib/benchmarking/disclosure.ts';
import { decimalText, parseExact, significantText } from '#lib/benchmarking/exact.ts';

const fraction = (numerator: number, denominator = 1) => ({
  numerator: BigInt(numerator),
  denominator: BigInt(denominator),
});
const contributionsOf = (values: readonly number[]): Contribution[] =>
  values.map((value, at) => ({
    workspace: `w${at}`,
    group: `w${at}`,
    value: fraction(value),
    weight: fraction(1),
  }));
const everybody = (contributions: readonly Contribution[]) => [
  { key: 'all', members: new Set(contributions.map(({ workspace }) => workspace)) },
];
const cellOf = (values: readonly number[]) => {
  const contributions = contributionsOf(values);
  return discloseCells({ contributions, cohorts: everybody(contributions), pPercent: fraction(10) })[0]!;
};

describe('the disclosure rules', () => {
  it('publish no pooled figure without the secret parameter', () => {
    const contributions = contributionsOf([1, 2, 3, 4, 5, 6]);
    const [cell] = discloseCells({ contributions, cohorts: everybody(contributions), pPercent: null });
    expect(cell).to.include({ reason: null, pooled: null, pooledReason: 'parameter_missing' });
  });

  it('keep published cells and withhold the new cell instead', () => {
    const contributions = contributionsOf(Array.from({ length: 20 }, (_, at) => at));
    const groups = contributions.slice(0, 18).map(({ group }) => group);
    const [cell] = discloseCells({
      contributions,
      cohorts: everybody(contributions),
      published: [{ key: 'earlier', groups }],
      pPercent: null,
    });
    expect(cell!.reason).to.equal('differencing');
  });

  it('do not depend on the order of the contributors', () => {
    const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 0, maxLength: 40 });
    fc.assert(
      fc.property(values, fc.infiniteStream(fc.nat()), (drawn, order) => {
        const contributions = contributionsOf(drawn);
        const shuffled = contributions
          .map((each) => ({ each, rank: order.next().value as number }))
          .toSorted((one, other) => one.rank - other.rank)
          .map(({ each }) => each);
        const cells = [contributions, shuffled].map((all) =>
          discloseCells({ contributions: all, cohorts: everybody(contributions), pPercent: fraction(10) }),
        );
        const published = cells.map(([cell]) => ({ ...cell!, groups: [...cell!.groups].sort() }));
        expect(published[0]).to.deep.equal(published[1]);
      }),
      { numRuns: 50 },
    );
  });

  it('publish the same quantiles if one contributor exaggerates the largest value', () => {
    const honest = cellOf([1, 2, 3, 4, 5, 6, 7, 8]);
    const liar = cellOf([1, 2, 3, 4, 5, 6, 7, 1_000_000]);
    expect(liar.distribution).to.deep.equal(honest.distribution);
  });

  it('withhold no cell of the golden file because of combinations', () => {
    const file = new URL('../../golden/benchmark_suppression.json', import.meta.url);
    const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: GoldenCase[] };
    for (const { name, contributors, cohorts, published = [], p_percent: p } of cases) {
      const input = {
        contributions: contributors.map(({ value, weight, ...each }) => ({
          ...each,
          value: parseExact(value)!,
          weight: parseExact(weight)!,
        })),
        cohorts: cohorts.map(({ key, members }) => ({ key, members: new Set(members) })),
        published,
        pPercent: parseExact(p)!,
      };
      const without = discloseCells({ ...input, withholdsCombinations: false });
      expect(discloseCells(input), name).to.deep.equal(without);
    }
  });
});

type GoldenCase = {
  name: string;
  p_percent: string;
  contributors: { workspace: string; group: string; value: string; weight: string }[];
  cohorts: { key: string; members: string[] }[];
  published?: { key: string; groups: string[] }[];
};

describe('the cohorts of a benchmark', () => {
  const place = (workspace: string, group: string, region: string) => ({
    workspace,
    group,
    region,
    serviceClass: 'standard',
    sizeBand: sizeBandOf(5),
  });

  it('contain all workspaces of a group, in the cohorts of the first workspace of the group', () => {
    const cohorts = cohortsOf(
      [place('b', 'g', 'us'), place('a', 'g', 'eu'), place('c', 'c', 'us')],
      ['standard'],
    );
    const members = Object.fromEntries(cohorts.map((each) => [each.key, [...each.members].sort()]));
    expect(members['region:eu']).to.deep.equal(['a', 'b']);
    expect(members['region:us']).to.deep.equal(['c']);
  });

  it('have the same bounds of size bands in every month', () => {
    expect([0, 99, 100, 9_999, 10_000].map(sizeBandOf)).to.deep.equal([
      'small',
      'small',
      'medium',
      'medium',
      'large',
    ]);
  });
});

describe('exact decimals', () => {
  it('round half to even, to significant digits or decimals', () => {
    expect(significantText(fraction(2445, 10_000), 3)).to.equal('0.244');
    expect(significantText(fraction(-99_950, 100), 3)).to.equal('-1000');
    expect(significantText(fraction(1, 3_000), 3)).to.equal('0.000333');
    expect(significantText(fraction(123_456), 3)).to.equal('123000');
    expect(decimalText(fraction(-1, 3), 4)).to.equal('-0.3333');
    expect(decimalText(fraction(5, 2), 0)).to.equal('2');
  });

  it('refuse a text that is not a decimal', () => {
    for (const text of ['', '1e3', 'NaN', '+1', '.5', '1.', '9'.repeat(61)]) {
      expect(parseExact(text), text).to.equal(undefined);
    }
  });
});
