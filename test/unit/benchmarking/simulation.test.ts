import { expect } from 'chai';
import { discloseCells } from '#lib/benchmarking/disclosure.ts';
import { isExhaustive } from '../../support/repetitions.ts';
import { solveForGroups, subtractMonths, subtractUnions } from './attack.ts';
import { simulate, type Month } from './simulation.ts';

const seeds = isExhaustive ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2];

// I-213
describe('200 workspaces that join and leave for 24 months', () => {
  for (const seed of seeds) {
    it(`never let a reader isolate one to four groups (seed ${seed})`, () => {
      const months = simulate({ seed, workspaces: 200, months: 24 });
      for (const { month, cells } of months) {
        expect(subtractUnions(cells), `month ${month}`).to.deep.equal([]);
        expect(solveForGroups(cells), `month ${month}`).to.deep.equal([]);
      }
      const published = months.flatMap(({ cells }) => cells.filter(({ reason }) => reason === null));
      expect(published.length, 'the cells are not all withheld').to.be.greaterThan(100);
      expect(new Set(published.map(({ cohort }) => cohort)).size).to.be.greaterThan(6);
    });
  }

  it('would let a reader isolate groups if every cell with six groups were published', () => {
    const months = simulate({ seed: 1, workspaces: 200, months: 24, withholdsCombinations: false });
    const careless = months.map(({ cells }) =>
      cells.map((cell) => (cell.groups.length >= 6 ? { ...cell, reason: null } : cell)),
    );
    expect(careless.flatMap(subtractUnions)).not.to.deep.equal([]);
  });
});

describe('200 workspaces whose figures mostly stay equal from month to month', () => {
  const against = (months: readonly Month[]) =>
    months.flatMap(({ month, published }) =>
      months
        .filter((each) => each.month < month && each.month >= month - 3)
        .flatMap((each) => subtractMonths(published, each.published)),
    );

  for (const persistence of [0.9, 0.98, 1]) {
    it(`never let a reader isolate who joined or left between two months (${persistence} keep their figure)`, () => {
      for (const seed of seeds) {
        const months = simulate({ seed, workspaces: 200, months: 24, persistence });
        expect(against(months), `seed ${seed}`).to.deep.equal([]);
        expect(months.filter(({ published }) => published.length > 0).length).to.be.greaterThan(1);
      }
    });
  }

  it('would let a reader isolate them if the months were not compared', () => {
    const months = simulate({
      ...{ seed: 1, workspaces: 200, months: 24 },
      ...{ persistence: 0.98, comparesMonths: false },
    });
    expect(against(months)).not.to.deep.equal([]);
  });

  it('withhold no cell because of earlier months if all figures change', () => {
    const count = (comparesMonths: boolean) =>
      simulate({ seed: 1, workspaces: 200, months: 24, comparesMonths }).flatMap(({ published }) => published)
        .length;
    expect(count(true)).to.equal(count(false));
  });
});

it('withholds a cell if adding and subtracting published cells would isolate two groups', () => {
  const names = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `w${from + at}`);
  const contributions = names(0, 40).map((name, at) => ({
    workspace: name,
    group: name,
    value: { numerator: BigInt(at), denominator: 1n },
    weight: { numerator: 1n, denominator: 1n },
  }));
  const cohorts = Object.entries({
    all: names(0, 40),
    'service_class:developer': names(0, 15),
    'service_class:standard': names(15, 35), // the five others are of a class that is too small to publish
    'region:ap': names(33, 40), // two of the standard class and all of the small class
  }).map(([key, members]) => ({ key, members: new Set(members) }));
  const cells = (withholdsCombinations: boolean) =>
    discloseCells({ contributions, cohorts, pPercent: null, withholdsCombinations });
  expect(cells(false).map(({ reason }) => reason)).to.deep.equal([null, null, null, null]);
  expect(solveForGroups(cells(false)).map(({ groups }) => groups)).to.deep.equal([2]);
  expect(cells(true).map(({ reason }) => reason)).to.deep.equal([null, null, null, 'combination']);
  expect(solveForGroups(cells(true))).to.deep.equal([]);
});
