import { expect } from 'chai';
import fc from 'fast-check';
import { linearProgram } from '#lib/numerics/optimisation/linear-program.ts';
import { linearRange, valueOf } from '#lib/numerics/optimisation/linear-range.ts';
import { quadraticProgram } from '#lib/numerics/optimisation/quadratic-program.ts';
import { programs } from './quadratic-cases.ts';

const boxed = programs.map((program) => ({
  ...program,
  lower: program.lower.map((value) => Math.max(value, -9)),
  upper: program.upper.map((value) => Math.min(value, 9)),
}));

describe('linearProgram', () => {
  it('gives the solution and multipliers of a program solved by hand', () => {
    const verdict = linearProgram({
      costs: Float64Array.of(1, 2),
      lower: new Float64Array(2),
      upper: new Float64Array(2).fill(0.75),
      rows: [linearRange([1, 1], { min: 1 })],
    });
    expect(verdict.ok && [...verdict.solution.x]).to.deep.equal([0.75, 0.25]);
    expect(verdict.ok && verdict.solution.objective).to.equal(1.25);
    expect(verdict.ok && [...verdict.solution.rowMultipliers]).to.deep.equal([2]);
    expect(verdict.ok && [...verdict.solution.boundMultipliers]).to.deep.equal([-1, 0]);
  });

  it('meets the conditions of optimality, or reports infeasible if the dual active-set method does', () => {
    fc.assert(
      fc.property(boxed, (program) => {
        const { lower, upper, rows, linear: costs } = program;
        const verdict = linearProgram({ costs, lower, upper, rows });
        expect(verdict.ok).to.equal(quadraticProgram(program).ok);
        if (!verdict.ok) {
          expect(verdict.reason).to.equal('infeasible');
          return;
        }
        const { x, rowMultipliers, boundMultipliers } = verdict.solution;
        const sign = (multiplier: number, value: number, min: number, max: number) => {
          expect(value).to.be.within(min - 1e-9, max + 1e-9);
          if (min === max) return;
          if (multiplier > 1e-9) expect(value).to.be.closeTo(min, 1e-9);
          if (multiplier < -1e-9) expect(value).to.be.closeTo(max, 1e-9);
        };
        x.forEach((value, j) => {
          sign(boundMultipliers[j]!, value, lower[j]!, upper[j]!);
          const pull = rows.reduce((sum, { index, value: row }, k) => {
            const at = index.indexOf(j);
            return sum + (at < 0 ? 0 : row[at]! * rowMultipliers[k]!);
          }, boundMultipliers[j]!);
          expect(pull).to.be.closeTo(costs[j]!, 1e-8);
        });
        rows.forEach((row, k) => sign(rowMultipliers[k]!, valueOf(row, x), row.min, row.max));
      }),
      { numRuns: 500 },
    );
  });

  it('accepts unbounded variables without a cost, and throws on an unbounded variable with a cost', () => {
    const free = { lower: Float64Array.of(-Infinity, 0), upper: Float64Array.of(Infinity, Infinity) };
    const rows = [linearRange([1, 1], { min: 3 }), linearRange([1, 0], { max: 2 })];
    const verdict = linearProgram({ costs: Float64Array.of(0, 1), ...free, rows });
    expect(verdict.ok && verdict.solution.objective).to.equal(1);
    expect(() => linearProgram({ costs: Float64Array.of(1, 1), ...free, rows })).to.throw(
      RangeError,
      'variable 0',
    );
  });
});
