import { expect } from 'chai';
import { portfolioConflict } from '#lib/numerics/optimisation/portfolio-conflict.ts';
import { sumRange } from '#lib/numerics/optimisation/linear-range.ts';

const names = {
  budget: '/budget',
  lower: () => '/weight/min',
  upper: () => '/weight/max',
  row: (at: number) => `/groups/${at}`,
  absolute: () => '/turnover_max',
};

const box = (size: number, max: number, min = 0) => ({
  lower: new Float64Array(size).fill(min),
  upper: new Float64Array(size).fill(max),
  budget: 1,
});

describe('portfolioConflict', () => {
  it('reports maximum weights that are too small for the budget', () => {
    const { conflict, relax } = portfolioConflict(box(10, 0.05), names)!;
    expect(conflict).to.have.members(['/budget', '/weight/max']);
    expect(relax.find(({ id }) => id === '/weight/max')!.to).to.be.closeTo(0.1, 1e-12);
    expect(relax.find(({ id }) => id === '/budget')!.to).to.be.closeTo(0.5, 1e-12);
  });

  it('reports minimum weights that are too large for the budget', () => {
    const { conflict } = portfolioConflict(box(4, 1, 0.3), names)!;
    expect(conflict).to.have.members(['/budget', '/weight/min']);
  });

  it('reports group limits that exclude each other', () => {
    const rows = [sumRange([0, 1], { max: 0.2 }), sumRange([2, 3], { max: 0.2 })];
    const { conflict, relax } = portfolioConflict({ ...box(4, 1), rows }, names)!;
    expect(conflict).to.have.members(['/budget', '/groups/0', '/groups/1']);
    expect(relax.find(({ id }) => id === '/groups/0')!.to).to.be.closeTo(0.8, 1e-12);
  });

  it('reports a maximum turnover of 0 if the current weights exceed a bound', () => {
    const from = Float64Array.of(1, 0, 0);
    const { conflict, relax } = portfolioConflict({ ...box(3, 0.5), absolutes: [{ from, max: 0 }] }, names)!;
    expect(conflict).to.have.members(['/weight/max', '/turnover_max']);
    // To meet the bound, 0.5 must be sold. Because of the budget, 0.5 must then be bought, so the turnover
    // must be 1.
    expect(relax.find(({ id }) => id === '/turnover_max')!.to).to.be.closeTo(1, 1e-12);
  });

  it('returns null if some weights meet the constraints', () => {
    expect(portfolioConflict(box(3, 0.5), names)).to.equal(null);
  });
});
