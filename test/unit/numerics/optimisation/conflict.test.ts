import { expect } from 'chai';
import fc from 'fast-check';
import { explainConflict, namedBound, type NamedRange } from '#lib/numerics/optimisation/conflict.ts';
import { linearProgram } from '#lib/numerics/optimisation/linear-program.ts';
import { linearRange, sumRange } from '#lib/numerics/optimisation/linear-range.ts';
import { coarse } from './quadratic-cases.ts';

function canBeMet(size: number, rows: readonly NamedRange[]): boolean {
  const free = {
    lower: new Float64Array(size).fill(-Infinity),
    upper: new Float64Array(size).fill(Infinity),
  };
  return linearProgram({ costs: new Float64Array(size), ...free, rows }).ok;
}

const requests = fc.integer({ min: 1, max: 4 }).chain((size) =>
  fc
    .array(fc.tuple(fc.array(coarse, { minLength: size, maxLength: size }), coarse, fc.nat(4), fc.nat(5)), {
      maxLength: 10,
    })
    .map((rows) => ({
      size,
      constraints: rows.map(([values, min, width, name]) => ({
        id: `c${name}`,
        ...linearRange(values, {
          min: width === 3 ? -Infinity : min,
          max: width === 4 ? Infinity : min + width,
        }),
      })),
    })),
);

describe('explainConflict', () => {
  it('reports a budget and bounds that are too small as the conflict, with the smallest relaxation of each', () => {
    const constraints = [
      { id: 'sum', ...sumRange([0, 1], { min: 1, max: 1 }) },
      namedBound('bounds', 0, { min: 0, max: 0.4 }),
      namedBound('bounds', 1, { min: 0, max: 0.4 }),
      { id: 'other', ...linearRange([1, -1], { max: 0.3 }) },
    ];
    const found = explainConflict({ size: 2, constraints })!;
    expect(found.conflict).to.deep.equal(['sum', 'bounds']);
    const [sum, bounds] = found.relax;
    expect(sum).to.deep.include({ side: 'min', from: 1, isSufficient: true });
    expect(sum!.by).to.be.closeTo(0.2, 1e-12);
    expect(sum!.to).to.be.closeTo(0.8, 1e-12);
    expect(bounds).to.deep.include({ side: 'max', from: 0.4, isSufficient: true });
    expect(bounds!.to).to.be.closeTo(0.5, 1e-12);
  });

  it('returns null if the constraints can be met', () => {
    expect(explainConflict({ size: 1, constraints: [namedBound('bounds', 0, { min: 0, max: 1 })] })).to.equal(
      null,
    );
    expect(explainConflict({ size: 1, constraints: [] })).to.equal(null);
  });

  it('reports a minimum above its maximum', () => {
    const one = explainConflict({ size: 1, constraints: [namedBound('weight', 0, { min: 2, max: 1 })] })!;
    expect(one.conflict).to.deep.equal(['weight']);
    expect(one.relax[0]!.by).to.be.closeTo(0.5, 1e-12);
    const two = [namedBound('min', 0, { min: 2 }), namedBound('max', 0, { max: 1 })];
    const found = explainConflict({ size: 1, constraints: two })!;
    expect(found.conflict).to.deep.equal(['min', 'max']);
    expect(found.relax.map(({ to }) => to)).to.deep.equal([1, 2]);
  });

  it('marks a relaxation as not sufficient if there is a second conflict', () => {
    const constraints = [
      namedBound('a', 0, { min: 2 }),
      namedBound('b', 0, { max: 1 }),
      namedBound('c', 1, { min: 2 }),
      namedBound('d', 1, { max: 1 }),
    ];
    const found = explainConflict({ size: 2, constraints })!;
    expect(found.conflict).to.have.length(2);
    expect(found.relax.map(({ isSufficient }) => isSufficient)).to.deep.equal([false, false]);
    expect(found.relax.map(({ by }) => by)).to.deep.equal([1, 1]);
  });

  it('never reports definitions, but reports a turnover limit together with a weight bound that the turnover cannot reach', () => {
    // The variables 2 and 3 are the distances of the weights from 1 and 0.
    const definitions = [
      linearRange([-1, 0, 1, 0], { min: -1 }),
      linearRange([1, 0, 1, 0], { min: 1 }),
      linearRange([0, -1, 0, 1], { min: 0 }),
      linearRange([0, 1, 0, 1], { min: 0 }),
    ];
    const constraints = [
      { id: 'budget', ...sumRange([0, 1], { min: 1, max: 1 }) },
      { id: 'turnover', ...sumRange([2, 3], { max: 0.2 }) },
      namedBound('weight', 0, { max: 0.5 }),
    ];
    const found = explainConflict({ size: 4, definitions, constraints })!;
    expect(found.conflict).to.have.members(['turnover', 'weight']);
    expect(found.relax.find(({ id }) => id === 'turnover')!.to).to.be.closeTo(1, 1e-12);
    expect(found.relax.find(({ id }) => id === 'weight')!.to).to.be.closeTo(0.9, 1e-12);
  });

  it('returns a minimal conflict, with relaxations that are sufficient and not larger than necessary', () => {
    fc.assert(
      fc.property(requests, ({ size, constraints }) => {
        const found = explainConflict({ size, constraints });
        expect(found === null).to.equal(canBeMet(size, constraints));
        if (!found) return;
        const of = (ids: readonly string[]) => constraints.filter(({ id }) => ids.includes(id));
        expect(canBeMet(size, of(found.conflict))).to.equal(false);
        for (const id of found.conflict) {
          expect(canBeMet(size, of(found.conflict.filter((each) => each !== id)))).to.equal(true);
        }
        for (const { id, by, isSufficient } of found.relax) {
          const whole = isSufficient ? constraints : of(found.conflict);
          const moved = (amount: number) =>
            whole.map((each) =>
              each.id === id ? { ...each, min: each.min - amount, max: each.max + amount } : each,
            );
          if (by === Infinity) continue;
          expect(canBeMet(size, moved(by + 1e-6))).to.equal(true);
          expect(canBeMet(size, moved(by - 1e-6))).to.equal(false);
        }
      }),
      { numRuns: 300 },
    );
  });
});
