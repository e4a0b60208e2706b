import { expect } from 'chai';
import fc from 'fast-check';
import { type CrossSections, monthCoverages } from '#lib/investment/theme-factors/cross-sections.ts';
import { themeRegression } from '#lib/investment/theme-factors/theme-regression.ts';
import { mean, standardDeviation } from '#lib/numerics/descriptive.ts';
import { exactGram } from '#lib/numerics/exact-gram.ts';
import { quantile } from '#lib/numerics/quantile.ts';

/**
 * One symbol in one month: its exposures to the themes, in hundredths and in the order of the themes, and its
 * return, or null if the return is missing.
 */
type Row = { exposures: number[]; r: number | null };

const MINIMUM = 3;

function sectionsOf(rows: readonly Row[]): CrossSections {
  const start = [0];
  const column: number[] = [];
  const micro: number[] = [];
  for (const { exposures } of rows) {
    exposures.forEach((hundredths, k) => {
      if (hundredths === 0) return;
      column.push(k);
      micro.push(hundredths * 10_000);
    });
    start.push(column.length);
  }
  return {
    symbols: rows.length,
    months: 1,
    returns: Float64Array.from(rows, ({ r }) => r ?? Number.NaN),
    exposures: {
      rows: rows.length,
      columns: rows[0]!.exposures.length,
      start: Int32Array.from(start),
      column: Int32Array.from(column),
      micro: Float64Array.from(micro),
      value: Float64Array.from(micro, (value) => value / 1e6),
    },
  };
}

function coverageOf(rows: readonly Row[], minimumSymbols = MINIMUM) {
  const sections = sectionsOf(rows);
  const whole = exactGram(sections.exposures);
  return monthCoverages(sections, { wholeCounts: whole.counts, minimumSymbols })[0]!;
}

function estimate(rows: readonly Row[], lambda = 0.1) {
  const sections = sectionsOf(rows);
  const whole = exactGram(sections.exposures);
  const residuals = new Float64Array(rows.length).fill(Number.NaN);
  const coverage = monthCoverages(sections, { wholeCounts: whole.counts, minimumSymbols: MINIMUM })[0]!;
  const verdict = themeRegression(sections, { whole, lambda, residuals })(0, coverage);
  if (!verdict.ok) throw new Error(`not identifiable: ${verdict.pivot}`);
  return { ...verdict.fit, residuals, coverage };
}

const exposure = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100 }));
const row: fc.Arbitrary<Row> = fc.record({
  exposures: fc.tuple(exposure, exposure).map(([a, b]) => [a, b]),
  r: fc.oneof(
    { weight: 9, arbitrary: fc.double({ min: -0.9, max: 2, noNaN: true }) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
});
const month = fc.array(row, { minLength: 8, maxLength: 60 }).filter((rows) => coverageOf(rows).valid);

function observed(rows: readonly Row[]) {
  return rows.flatMap(({ exposures, r }, i) =>
    r === null ? [] : { i, r, x: exposures.map((value) => value / 100) },
  );
}

describe('monthCoverages', () => {
  const plain = (exposures: number[], r: number | null = 0.01): Row => ({ exposures, r });
  const three = [plain([50, 0]), plain([60, 0]), plain([70, 0])];

  it('counts the symbols with a return and lists the rows without a return', () => {
    const coverage = coverageOf([plain([1, 0], null), ...three, plain([0, 0], null), plain([0, 0])]);
    expect(coverage.symbols).to.equal(4);
    expect(Array.from(coverage.missing)).to.deep.equal([0, 4]);
  });

  it('marks a factor as active only if enough symbols with an exposure to the factor have a return', () => {
    expect(coverageOf([...three, plain([0, 0]), plain([0, 0])]).active).to.deep.equal([0]);
    const lost = [plain([50, 0], null), ...three.slice(1), plain([0, 0]), plain([0, 0]), plain([0, 0])];
    expect(coverageOf(lost)).to.deep.include({ active: [], indexed: [false, false], valid: false });
  });

  it('marks a factor as indexed but not active if every symbol with a return has the same exposure', () => {
    const same = [plain([70, 0]), plain([70, 0]), plain([70, 0]), plain([70, 0])];
    expect(coverageOf(same)).to.deep.include({ active: [], indexed: [true, false], valid: false });
    expect(coverageOf([...same, plain([71, 0])])).to.deep.include({ active: [0], valid: true });
    expect(coverageOf([...same, plain([71, 0], null)]).active).to.deep.equal([]);
    expect(coverageOf([plain([71, 0], null), ...same, plain([0, 0])]).active).to.deep.equal([0]);
  });

  it('marks a month as valid if at least max(minimum, active factors + 2) symbols have a return', () => {
    const two = [plain([50, 10]), plain([60, 20]), plain([70, 40])];
    expect(coverageOf(two)).to.include({ symbols: 3, symbolsNeeded: 4, valid: false });
    expect(coverageOf([...two, plain([0, 0])])).to.include({ symbols: 4, symbolsNeeded: 4, valid: true });
    expect(coverageOf(three)).to.include({ symbols: 3, symbolsNeeded: 3, valid: true });
    const many = Array.from({ length: 6 }, (_, i) => plain([i + 1, 0]));
    expect(coverageOf(many, 6)).to.include({ symbolsNeeded: 6, valid: true });
    expect(coverageOf([...many.slice(1), plain([0, 0])], 6).valid).to.equal(false);
  });
});

describe('themeRegression', () => {
  it('divides every return into intercept, exposures times factor returns, and residual', () => {
    fc.assert(
      fc.property(month, (rows) => {
        const { estimate: fit, factorReturns, residuals } = estimate(rows);
        for (const { i, r, x } of observed(rows)) {
          const explained = x.reduce(
            (total, value, k) => total + value * (factorReturns[k]! || 0),
            fit.intercept,
          );
          expect(explained + residuals[i]!).to.be.closeTo(r, 1e-15 * Math.max(1, Math.abs(explained)));
        }
        expect(residuals.filter(Number.isNaN)).to.have.length(rows.length - fit.symbols);
      }),
    );
  });

  it('satisfies the normal equations of the clipped returns', () => {
    fc.assert(
      fc.property(month, (rows) => {
        const { estimate: fit, factorReturns, coverage } = estimate(rows);
        const section = observed(rows);
        const errors = section.map(({ r, x }) => {
          const y = Math.min(Math.max(r, fit.winsor_low), fit.winsor_high);
          return y - x.reduce((total, value, k) => total + value * (factorReturns[k]! || 0), fit.intercept);
        });
        expect(mean(errors)).to.be.closeTo(0, 1e-13);
        for (const k of coverage.active) {
          const values = section.map(({ x }) => x[k]!);
          const deviation = standardDeviation(values, { ddof: 0 });
          const product = mean(values.map((value, i) => value * errors[i]!));
          expect(product).to.be.closeTo(0.1 * deviation * deviation * factorReturns[k]!, 1e-13);
        }
      }),
    );
  });

  it('clips returns at the 1 % and 99 % quantiles only for the estimation, not for the market return', () => {
    fc.assert(
      fc.property(month, (rows) => {
        const { estimate: fit } = estimate(rows);
        const returns = observed(rows).map(({ r }) => r);
        expect(fit.winsor_low === quantile(returns, 0.01)).to.equal(true);
        expect(fit.winsor_high === quantile(returns, 0.99)).to.equal(true);
        expect(fit.clipped).to.equal(returns.filter((r) => r < fit.winsor_low || r > fit.winsor_high).length);
        expect(fit.market_return).to.be.closeTo(mean(returns), 1e-15);
      }),
    );
  });

  it('shifts only market, intercept and index returns, if every return rises by the same amount', () => {
    const shift = 0.03;
    fc.assert(
      fc.property(month, (rows) => {
        const before = estimate(rows);
        const after = estimate(
          rows.map(({ exposures, r }) => ({ exposures, r: r === null ? null : r + shift })),
        );
        expect(after.estimate.intercept).to.be.closeTo(before.estimate.intercept + shift, 1e-11);
        expect(after.estimate.market_return).to.be.closeTo(before.estimate.market_return + shift, 1e-13);
        expect(after.estimate.effective_parameters).to.equal(before.estimate.effective_parameters);
        before.coverage.active.forEach((k) => {
          expect(after.factorReturns[k]).to.be.closeTo(before.factorReturns[k]!, 1e-11);
          expect(after.indexReturns[k]).to.be.closeTo(before.indexReturns[k]! + shift, 1e-13);
        });
        before.residuals.forEach((e, i) => {
          if (!Number.isNaN(e)) expect(after.residuals[i]).to.be.closeTo(e, 1e-11);
        });
      }),
    );
  });

  it('gives factor returns near 0 and effective parameters near 1 for a very large lambda', () => {
    fc.assert(
      fc.property(month, (rows) => {
        const sizes = [1e-3, 0.1, 10, 1e6, 1e13].map((lambda) => estimate(rows, lambda));
        const parameters = sizes.map((fit) => fit.estimate.effective_parameters);
        expect([...parameters].sort((a, b) => b - a)).to.deep.equal(parameters);
        const heaviest = sizes.at(-1)!;
        expect(parameters.at(-1)).to.be.closeTo(1, 1e-9);
        for (const k of heaviest.coverage.active)
          expect(Math.abs(heaviest.factorReturns[k]!)).to.be.below(1e-9);
      }),
    );
  });

  it('recovers the factor returns from which the returns were constructed', () => {
    const rows = Array.from({ length: 200 }, (_, i) => {
      const exposures = [i % 3 === 0 ? 50 : 0, i % 5 < 2 ? 80 : 0];
      return { exposures, r: 0.01 + 0.5 * (exposures[0]! / 100) - 0.25 * (exposures[1]! / 100) };
    });
    const { estimate: fit, factorReturns } = estimate(rows, 1e-9);
    expect(fit.intercept).to.be.closeTo(0.01, 1e-8);
    expect(factorReturns[0]).to.be.closeTo(0.5, 1e-8);
    expect(factorReturns[1]).to.be.closeTo(-0.25, 1e-8);
    expect(fit.r_squared).to.be.closeTo(1, 1e-12);
    expect(fit.effective_parameters).to.be.closeTo(3, 1e-8);
  });

  it('gives an R^2 of null and factor returns of 0 if all returns are equal', () => {
    const rows = Array.from({ length: 10 }, (_, i) => ({ exposures: [i * 10, 0], r: 0.25 }));
    const { estimate: fit, factorReturns } = estimate(rows);
    expect(fit).to.include({
      r_squared: null,
      clipped: 0,
      winsor_low: 0.25,
      winsor_high: 0.25,
      intercept: 0.25,
    });
    expect(factorReturns[0]).to.equal(0);
    expect(factorReturns[1]).to.satisfy(Number.isNaN);
  });

  it('gives a theme index return equal to the mean of the unclipped returns, weighted by exposure', () => {
    const rows = [
      { exposures: [100, 0], r: 9 },
      { exposures: [50, 0], r: 0.5 },
      { exposures: [50, 0], r: -0.5 },
      { exposures: [20, 0], r: null },
      { exposures: [0, 30], r: 0.1 },
    ];
    expect(estimate(rows).indexReturns[0]).to.equal(9 / 2);
    expect(estimate(rows).indexReturns[1]).to.satisfy(Number.isNaN);
  });

  it('gives the same estimates for a second month with the same data', () => {
    fc.assert(
      fc.property(month, (rows) => {
        const once = sectionsOf(rows);
        const twice = { ...once, months: 2, returns: Float64Array.from([...once.returns, ...once.returns]) };
        const whole = exactGram(once.exposures);
        const residuals = new Float64Array(2 * rows.length).fill(Number.NaN);
        const coverages = monthCoverages(twice, { wholeCounts: whole.counts, minimumSymbols: MINIMUM });
        const regress = themeRegression(twice, { whole, lambda: 0.1, residuals });
        const [first, second] = coverages.map((coverage, t) => regress(t, coverage));
        expect(second).to.deep.equal(first);
        rows.forEach((_, i) => expect(residuals[2 * i]).to.be.deep.equal(residuals[2 * i + 1]));
      }),
    );
  });
});
