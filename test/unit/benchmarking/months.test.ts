import { expect } from 'chai';
import type { Cell } from '#lib/benchmarking/disclosure.ts';
import { publishedOf, withholdChanges, type Figure } from '#lib/benchmarking/months.ts';

const names = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `w${from + at}`);
const figuresOf = (groups: readonly string[], figure: (group: string) => string = () => '0.5') =>
  new Map(
    groups.map((group): [string, Figure] => [
      group,
      { stored: figure(group), rounded: () => figure(group).slice(0, 5) },
    ]),
  );
const cellOf = (cohort: string, groups: readonly string[]): Cell => ({
  ...{ cohort, groups, reason: null, contributorsAtLeast: 5 },
  ...{ distribution: null, pooled: null, pooledReason: null },
});
const before = (cells: readonly Cell[], figures = figuresOf(names(0, 40))) => [publishedOf(cells, figures)];
const reasonsOf = (cells: readonly Cell[]) => cells.map(({ reason }) => reason);

describe('the comparison of a cell with earlier months', () => {
  const then = before([cellOf('all', names(0, 10))]);
  const now = (groups: readonly string[], figure?: (group: string) => string) =>
    reasonsOf(withholdChanges([cellOf('all', groups)], figuresOf(groups, figure), then))[0];

  it('withholds the cell if one to four groups joined or left and the others kept their figures', () => {
    for (const groups of [names(0, 11), names(0, 14), names(1, 10), names(4, 10), names(2, 12)])
      expect(now(groups), groups.join()).to.equal('months');
    for (const groups of [names(0, 10), names(0, 15), names(3, 12), names(5, 15)])
      expect(now(groups), groups.join()).to.equal(null);
  });

  it('counts a group whose rounded figure changed, but not one whose figure changed within the rounding', () => {
    const changes = (count: number, to: string) => (group: string) =>
      names(0, count).includes(group) ? to : '0.5';
    expect(now(names(0, 11), changes(3, '0.6'))).to.equal('months');
    expect(now(names(0, 11), changes(4, '0.6'))).to.equal(null);
    const slight = [
      ...before(
        [cellOf('all', names(0, 10))],
        figuresOf(names(0, 10), () => '0.5000001'),
      ),
    ];
    const groups = names(0, 11);
    const found = withholdChanges(
      [cellOf('all', groups)],
      figuresOf(groups, () => '0.5000002'),
      slight,
    );
    expect(reasonsOf(found)).to.deep.equal(['months']);
  });

  it('keeps a cell without joiners and leavers, however few figures changed', () => {
    expect(now(names(0, 10), (group) => (group === 'w3' ? '0.9' : '0.5'))).to.equal(null);
  });

  it('withholds the smallest cell of a classification whose cells together reveal a joiner', () => {
    // The second region had too few groups before, so only the union of both can be compared with all contributors.
    const earlier = before([cellOf('all', names(0, 25))]);
    const cells = [
      cellOf('region:a', names(0, 20)),
      cellOf('region:b', names(20, 26)),
      cellOf('size:small', names(0, 8)),
    ];
    const found = withholdChanges(cells, figuresOf(names(0, 40)), earlier);
    expect(reasonsOf(found)).to.deep.equal([null, 'months', null]);
  });

  it('leaves withheld cells and first months as they are', () => {
    const withheld = { ...cellOf('all', names(0, 11)), reason: 'frequency' as const };
    expect(withholdChanges([withheld], figuresOf(names(0, 11)), then)).to.deep.equal([withheld]);
    const cells = [cellOf('all', names(0, 11))];
    expect(withholdChanges(cells, figuresOf(names(0, 11)), [])).to.deep.equal(cells);
  });
});
