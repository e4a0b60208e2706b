import { expect } from 'chai';
import { matrixOf } from '#lib/numerics/matrix.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { backwardSolve, forwardSolve } from '#lib/numerics/scenario/lower-cholesky.ts';
import { SYSTEMS, triangularSolves } from '#lib/numerics/triangular-solves.ts';

describe('triangular systems that are solved together', () => {
  for (const size of [1, 2, 5, 20])
    it(`of size ${size} have the same solutions as each system alone`, () => {
      const normals = new Float64Array(size * (size + SYSTEMS));
      fillNormals(normals, { seed: 1, firstSample: 0, dimensions: size });
      const lower = matrixOf(size, size, (row, column) => {
        const value = normals[row * size + column]!;
        return row === column ? 2 + Math.abs(value) : row > column ? value : 0;
      });
      const sides = Array.from({ length: SYSTEMS }, (_, system) =>
        normals.slice(size * (size + system), size * (size + system + 1)),
      );
      const solves = triangularSolves(lower);
      const solution = (system: number) =>
        Float64Array.from({ length: size }, (_, at) => solves.values[at * SYSTEMS + system]!);

      for (const [system, side] of sides.entries())
        for (const [at, each] of side.entries()) solves.values[at * SYSTEMS + system] = each;
      solves.forward();
      for (const [system, side] of sides.entries()) {
        const found = forwardSolve(lower, side);
        expect(solution(system)).to.deep.equal(found);
        expect(solves.squares[system]).to.equal(found.reduce((sum, each) => sum + each * each, 0));
      }
      solves.backward();
      for (const [system, side] of sides.entries())
        for (const [at, each] of backwardSolve(lower, side).entries())
          expect(solution(system)[at]).to.be.closeTo(each, 1e-12 * (1 + Math.abs(each)));
    });
});
