import { expect } from 'chai';
import fc from 'fast-check';
import { bendsOf } from '#lib/numerics/optimisation/bends.ts';
import { solveOnBentSet } from '#lib/numerics/optimisation/bent-active-set.ts';
import { dualBentSet } from '#lib/numerics/optimisation/dual-bent-set.ts';
import type { AbsoluteTerm } from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import { portfolioProgram } from '#lib/numerics/optimisation/portfolio-program.ts';
import { markets, preparedOf } from './portfolio-cases.ts';

/** Costs of trades, lots that are sold at rising slopes, and sometimes a limit on turnover. Many bends coincide. */
const requests = markets.chain((market) =>
  fc
    .record({
      lots: fc.array(
        fc.array(fc.tuple(fc.nat(4), fc.nat(8)), { minLength: market.size, maxLength: market.size }),
        {
          maxLength: 3,
        },
      ),
      cost: fc.nat(10),
      limit: fc.option(fc.nat(8)),
      max: fc.constantFrom(0.3, 0.5, 1),
      risk: fc.constantFrom(0.5, 2, 20),
    })
    .map(({ lots, cost, limit, max, risk }) => {
      const { size, previous } = market;
      const flat = new Float64Array(size).fill(cost / 1_000);
      const first = { from: previous, purchase: flat, sale: flat, ...(limit !== null && { max: limit / 8 }) };
      const further = lots.map((each): AbsoluteTerm => ({
        from: previous.map((weight, i) => (weight * each[i]![0]) / 4),
        purchase: new Float64Array(size),
        sale: Float64Array.from(each, ([, rise]) => rise / 200),
      }));
      const upper = new Float64Array(size).fill(Math.max(max, 1 / size));
      const linear = market.means.map((mean) => -mean);
      const absolutes = [first, ...further];
      return { market, upper, absolutes, objective: { risk, linear, costWeight: 1 } };
    }),
);

describe('Bends', () => {
  it('give the same weights as a program with a variable for each distance', () => {
    fc.assert(
      fc.property(requests, ({ market, upper, absolutes, objective }) => {
        const polyhedron = preparedOf(market, { upper, absolutes });
        const bent = portfolioProgram(polyhedron, objective);
        const lifted = portfolioProgram({ ...polyhedron, bends: undefined }, objective);
        expect(bent.ok).to.equal(lifted.ok);
        if (!bent.ok || !lifted.ok) return;
        expect(bent.solution.kktResidual).to.be.below(1e-9);
        expect(bent.solution.objective).to.be.closeTo(lifted.solution.objective, 1e-10);
        bent.solution.weights.forEach((weight, i) =>
          expect(weight).to.be.closeTo(lifted.solution.weights[i]!, 1e-7),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('are solved by the dual method so that the conditions of optimality hold', () => {
    fc.assert(
      fc.property(requests, ({ market, upper, absolutes, objective }) => {
        const polyhedron = preparedOf(market, { upper, absolutes });
        const { bends, assets: size, covariance: matrix, factor, plainRows } = polyhedron;
        if (!bends || bends.limit) return;
        const unit = bends.slopes.map((slopes) => slopes.map((slope) => slope / objective.risk));
        const linear = objective.linear.map((slope) => slope / objective.risk);
        const rows = polyhedron.rows.slice(0, plainRows);
        const lower = new Float64Array(size);
        const found = dualBentSet(
          { size, matrix, factor, linear, lower, upper, rows },
          { ...bends, slopes: unit },
        );
        if (!found.ok) expect.fail(found.reason);
        expect(found.point.kktResidual).to.be.below(1e-10);
        const lifted = portfolioProgram({ ...polyhedron, bends: undefined }, objective);
        if (!lifted.ok) expect.fail(lifted.reason);
        found.point.x.forEach((weight, i) => expect(weight).to.be.closeTo(lifted.solution.weights[i]!, 1e-7));
      }),
      { numRuns: 300 },
    );
  });

  it('represent the lots of 60 symbols without additional variables', () => {
    const size = 60;
    const covariance = Float64Array.from(
      { length: size * size },
      (_, at) => 0.03 + (at % (size + 1) === 0 ? 0.02 + ((at * 7) % 13) / 200 : 0),
    );
    const previous = Float64Array.from({ length: size }, (_, i) => (1 + (i % 4)) / 150);
    const market = { size, covariance, means: new Float64Array(size), previous };
    const none = new Float64Array(size);
    const absolutes = [0, 0.25, 0.5, 0.75].map((kept, lot) => ({
      from: previous.map((weight) => weight * (1 - kept)),
      purchase: none.map(() => (lot === 0 ? 1e-4 : 0)),
      sale: none.map((_, i) => ((i * (lot + 3)) % 7) / 2_000),
    }));
    const lift = () => expect.fail('it used variables for the distances');
    const polyhedron = { ...preparedOf(market, { absolutes }), lift };
    const found = portfolioProgram(polyhedron, { risk: 2, linear: none, costWeight: 1 });
    if (!found.ok) expect.fail(found.reason);
    expect(found.solution.kktResidual).to.be.below(1e-12);
    const atBends = found.solution.weights.filter((weight, i) =>
      absolutes.some(({ from }) => Math.abs(weight - from[i]!) < 1e-12),
    );
    expect(atBends.length).to.be.above(5);
  });

  it('report a residual if the slope at a bend is not between the slopes on its two sides', () => {
    const program = {
      size: 1,
      matrix: Float64Array.of(1),
      factor: Float64Array.of(1),
      linear: Float64Array.of(-5),
      lower: Float64Array.of(0),
      upper: Float64Array.of(10),
      rows: [],
    };
    const absolutes = [{ from: Float64Array.of(1), purchase: Float64Array.of(1), sale: Float64Array.of(1) }];
    const bends = bendsOf({ lower: program.lower, upper: program.upper, absolutes })!;
    const stuck = solveOnBentSet(program, bends, { sides: Int32Array.of(1), rows: Int8Array.of(0) });
    expect(stuck!.x[0]).to.equal(1);
    expect(stuck!.kktResidual).to.be.above(0.1);
    const found = dualBentSet(program, bends);
    expect(found.ok && found.point.x[0]).to.equal(4);
  });
});
