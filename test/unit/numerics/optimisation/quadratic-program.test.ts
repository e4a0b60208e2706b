import { expect } from 'chai';
import fc from 'fast-check';
import { dualActiveSet } from '#lib/numerics/optimisation/dual-active-set.ts';
import { kktResidual } from '#lib/numerics/optimisation/kkt-residual.ts';
import { linearRange, sumRange } from '#lib/numerics/optimisation/linear-range.ts';
import { quadraticProgram, type QuadraticProgram } from '#lib/numerics/optimisation/quadratic-program.ts';
import { programOf, programs } from './quadratic-cases.ts';

function solved(program: QuadraticProgram) {
  const verdict = quadraticProgram(program);
  if (!verdict.ok) throw new Error(verdict.reason);
  return verdict.solution;
}

describe('quadraticProgram', () => {
  it('gives the closed-form solution and the shadow price for a single budget constraint', () => {
    const {
      x,
      rowMultipliers,
      kktResidual: residual,
    } = solved(programOf({ matrix: [1, 0, 0, 2], rows: [sumRange([0, 1], { min: 1, max: 1 })] }));
    expect(x[0]).to.be.closeTo(2 / 3, 1e-15);
    expect(x[1]).to.be.closeTo(1 / 3, 1e-15);
    expect(rowMultipliers[0]).to.be.closeTo(2 / 3, 1e-15);
    expect(residual).to.be.below(1e-15);
  });

  it('gives the unconstrained minimum if no constraint binds', () => {
    const { x, boundMultipliers } = solved(programOf({ matrix: [2], linear: Float64Array.of(-3) }));
    expect(x[0]).to.be.closeTo(1.5, 1e-15);
    expect([...boundMultipliers]).to.deep.equal([0]);
  });

  it('sets a variable exactly to its bound if the bound binds', () => {
    const { x, boundMultipliers } = solved(
      programOf({
        matrix: [1, 0.9, 0.9, 4],
        lower: Float64Array.of(0, 0.1),
        upper: Float64Array.of(1, 1),
        rows: [sumRange([0, 1], { min: 1, max: 1 })],
      }),
    );
    expect(x[1]).to.equal(0.1);
    expect(boundMultipliers[1]).to.be.above(0);
    expect(boundMultipliers[0]).to.equal(0);
  });

  it('meets the conditions of optimality and equals the dual active-set method, or both report infeasible', () => {
    fc.assert(
      fc.property(programs, (program) => {
        const [whole, dual] = [quadraticProgram(program), dualActiveSet(program)];
        const isCrossed = program.rows.some(({ min, max }) => min > max);
        expect(whole.ok).to.equal(dual.ok && !isCrossed);
        if (!whole.ok || !dual.ok) return;
        expect(whole.solution.kktResidual).to.be.below(1e-11);
        expect(kktResidual(program, dual.point)).to.be.below(1e-9);
        whole.solution.x.forEach((value, i) => expect(value).to.be.closeTo(dual.point.x[i]!, 1e-8));
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same result to the bit for two calls, and nearly the same result if it starts from its own active set', () => {
    fc.assert(
      fc.property(programs, (program) => {
        const [once, twice] = [quadraticProgram(program), quadraticProgram(program)];
        expect(once).to.deep.equal(twice);
        if (!once.ok) return;
        const warm = quadraticProgram(program, once.solution.active);
        expect(warm.ok).to.equal(true);
        if (warm.ok)
          warm.solution.x.forEach((value, i) => expect(value).to.be.closeTo(once.solution.x[i]!, 1e-9));
      }),
    );
  });

  it('accepts linearly dependent equations, and reports infeasible for contradictory equations', () => {
    const rows = [sumRange([0, 1], { min: 1, max: 1 }), linearRange([2, 2], { min: 2, max: 2 })];
    const { x } = solved(programOf({ matrix: [1, 0, 0, 1], rows }));
    expect([...x]).to.deep.equal([0.5, 0.5]);
    const other = [rows[0]!, linearRange([2, 2], { min: 3, max: 3 })];
    expect(quadraticProgram(programOf({ matrix: [1, 0, 0, 1], rows: other }))).to.deep.equal({
      ok: false,
      reason: 'infeasible',
    });
  });

  it('reports infeasible if a lower bound is above its upper bound', () => {
    const program = programOf({ matrix: [1], lower: Float64Array.of(2), upper: Float64Array.of(1) });
    expect(quadraticProgram(program)).to.deep.equal({ ok: false, reason: 'infeasible' });
  });

  it('accepts a variable whose bounds are equal', () => {
    const { x } = solved(programOf({ matrix: [1], lower: Float64Array.of(1), upper: Float64Array.of(1) }));
    expect([...x]).to.deep.equal([1]);
  });

  it('throws on NaN with the number of the variable or row', () => {
    const program = programOf({ matrix: [1], linear: Float64Array.of(Number.NaN) });
    expect(() => quadraticProgram(program)).to.throw(RangeError, 'variable 0');
    expect(() =>
      quadraticProgram(programOf({ matrix: [1], rows: [linearRange([NaN], { min: 1 })] })),
    ).to.throw(RangeError, 'row 0');
  });

  it('gives multipliers that equal the derivative of the objective with respect to the binding bound', () => {
    const at = (budget: number) =>
      solved(
        programOf({
          matrix: [1, 0.2, 0, 0.2, 2, 0.3, 0, 0.3, 3],
          lower: new Float64Array(3),
          rows: [sumRange([0, 1, 2], { min: budget }), linearRange([1, -1, 0], { max: 0.1 })],
        }),
      );
    const objective = (x: Float64Array) =>
      (x[0]! ** 2 + 2 * x[1]! ** 2 + 3 * x[2]! ** 2) / 2 + 0.2 * x[0]! * x[1]! + 0.3 * x[1]! * x[2]!;
    const slope = (objective(at(1 + 1e-5).x) - objective(at(1 - 1e-5).x)) / 2e-5;
    expect(at(1).rowMultipliers[0]).to.be.closeTo(slope, 1e-9);
    expect(at(1).rowMultipliers[1]).to.be.below(0);
  });
});
