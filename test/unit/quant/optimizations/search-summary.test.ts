import { expect } from 'chai';
import { bestTrial, degradation, foldChoices } from '#lib/quant/optimizations/search-summary.ts';
import type { TrialRow } from '#lib/quant/optimizations/trial-layout.ts';

/** A trial with the objectives of one fold. */
function row(train: number, test: number, isFeasible = true): TrialRow {
  const isSimulated = !Number.isNaN(train);
  return {
    objective: train,
    isFeasible,
    sharpe: train,
    folds: [{ train, isFeasible, test }],
    sums: new Float64Array(8),
    isSimulated,
  };
}
const byObjective = ({ objective, isFeasible }: TrialRow) => ({ value: objective, isFeasible });

describe('bestTrial', () => {
  it('returns the first of equal trials, and ignores trials that are infeasible or have no objective', () => {
    const rows = [row(Number.NaN, 0), row(3, 0, false), row(2, 0), row(2, 0)];
    expect(bestTrial(rows, byObjective)).to.equal(2);
    expect(bestTrial(rows.slice(0, 2), byObjective)).to.equal(null);
  });
});

describe('foldChoices', () => {
  it('chooses by the training range only, and ranks the choice in the test range', () => {
    const rows = [row(2, 0.1), row(1, 0.5), row(0, 0.1), row(-1, -1), row(Number.NaN, Number.NaN)];
    // Of the four simulated trials, the chosen trial beats one, ties with one, and is one itself.
    expect(foldChoices(rows, 1)).to.deep.equal([{ trial: 0, train: 2, test: 0.1, rank: 0.75 }]);
  });

  it('has no choice without a feasible trial', () => {
    expect(foldChoices([row(1, 1, false)], 1)).to.deep.equal([null]);
  });
});

describe('degradation', () => {
  const choice = (train: number, test: number) => ({ trial: 0, train, test, rank: 1 });

  it('is the slope of a regression of the test objectives on the training objectives', () => {
    expect(degradation([choice(1, 0.5), choice(2, 1), choice(4, 2)])).to.be.closeTo(0.5, 1e-12);
  });

  it('is null with fewer than three folds, equal training objectives or an undefined objective', () => {
    expect(degradation([choice(1, 1), choice(2, 2)])).to.equal(null);
    expect(degradation([choice(1, 1), choice(1, 2), choice(1, 3)])).to.equal(null);
    expect(degradation([choice(1, 1), choice(2, 2), choice(3, Number.NaN), null])).to.equal(null);
  });
});
