import { expect } from 'chai';
import fc from 'fast-check';
import { conditionalDrawdown } from '#lib/numerics/optimisation/conditional-drawdown.ts';
import { conditionalValueAtRisk } from '#lib/numerics/optimisation/conditional-value-at-risk.ts';
import { meanAbsoluteDeviation } from '#lib/numerics/optimisation/mean-absolute-deviation.ts';
import { minimumRisk } from '#lib/numerics/optimisation/minimum-risk.ts';
import { sumRange } from '#lib/numerics/optimisation/linear-range.ts';
import type { ReturnTable } from '#lib/numerics/optimisation/risk-measure.ts';
import { dot, preparedOf } from './portfolio-cases.ts';

const tables: fc.Arbitrary<ReturnTable> = fc
  .integer({ min: 1, max: 5 })
  .chain((assets) =>
    fc
      .array(fc.array(fc.nat(20), { minLength: assets, maxLength: assets }), { minLength: 1, maxLength: 30 })
      .map((rows) => ({ assets, returns: Float64Array.from(rows.flat(), (each) => (each - 9) / 100) })),
  );
const levels = fc.nat(19).map((each) => each / 20);
const parts = fc.array(fc.nat(9), { minLength: 5, maxLength: 5 });

const measures = (table: ReturnTable, level: number) => [
  conditionalValueAtRisk(table, level),
  conditionalDrawdown(table, level),
  meanAbsoluteDeviation(table),
];

function weightsFrom(numbers: readonly number[], size: number): Float64Array {
  const total = numbers.slice(0, size).reduce((sum, each) => sum + each, 0);
  return Float64Array.from({ length: size }, (_, i) => (total === 0 ? 1 / size : numbers[i]! / total));
}

/**
 * Returns a market with the identity as covariance matrix, which is used only to choose among equal risks.
 */
function marketOf({ assets }: ReturnTable) {
  const covariance = Float64Array.from({ length: assets * assets }, (_, at) =>
    at % (assets + 1) === 0 ? 1 : 0,
  );
  return { size: assets, covariance, means: new Float64Array(assets), previous: new Float64Array(assets) };
}

describe('risk measures', () => {
  it('equal values computed by hand from their definitions', () => {
    const one = Float64Array.of(1);
    const losses = { assets: 1, returns: Float64Array.of(-1, -4, -2, -3) };
    expect(conditionalValueAtRisk(losses, 0.5).at(one).value).to.equal(3.5);
    expect(conditionalValueAtRisk(losses, 0.7).at(one).value).to.be.closeTo((4 + 0.2 * 3) / 1.2, 1e-14);
    expect(conditionalValueAtRisk(losses, 0.9).at(one).value).to.equal(4);
    expect(conditionalValueAtRisk(losses, 0).at(one).value).to.equal(2.5);
    const path = { assets: 1, returns: Float64Array.of(0.1, -0.2, 0.3) };
    expect(conditionalDrawdown(path, 0.5).at(one).value).to.be.closeTo(0.2 / 1.5, 1e-15);
    expect(
      meanAbsoluteDeviation({ assets: 1, returns: Float64Array.of(0.01, 0.03) }).at(one).value,
    ).to.be.closeTo(0.01, 1e-17);
  });

  it('have subgradients: the slope at any weights gives a lower bound of the risk of other weights', () => {
    fc.assert(
      fc.property(tables, levels, parts, parts, (table, level, here, there) => {
        const [w, v] = [weightsFrom(here, table.assets), weightsFrom(there, table.assets)];
        for (const measure of measures(table, level)) {
          const { value, slope } = measure.at(w);
          expect(dot(slope, w)).to.be.closeTo(value, 1e-14);
          expect(dot(slope, v)).to.be.at.most(measure.at(v).value + 1e-14);
        }
      }),
    );
  });

  it('throw on NaN, incomplete rows, no observations and a level of 1', () => {
    const bad = [Float64Array.of(Number.NaN, 0), Float64Array.of(1, 2, 3), new Float64Array(0)];
    for (const returns of bad)
      expect(() => conditionalValueAtRisk({ assets: 2, returns }, 0.9)).to.throw(RangeError);
    expect(() => conditionalDrawdown({ assets: 1, returns: Float64Array.of(0) }, 1)).to.throw(
      RangeError,
      'the level must be at least 0 and below 1, got 1',
    );
  });
});

describe('minimumRisk', () => {
  it('gives the smallest risk of all weights, and weights whose risk is at most 1 + 1e-9 times the smallest risk', () => {
    fc.assert(
      fc.property(tables, levels, parts, (table, level, numbers) => {
        const other = weightsFrom(numbers, table.assets);
        for (const measure of measures(table, level)) {
          const verdict = minimumRisk(preparedOf(marketOf(table)), measure);
          if (!verdict.ok) throw new Error(verdict.reason);
          const { weights, risk, isUnique } = verdict.solution;
          expect(isUnique).to.equal(true);
          expect(risk).to.be.at.most(measure.at(other).value + 1e-12);
          expect(measure.at(weights).value).to.be.at.most(risk + 1e-9 * Math.abs(risk) + 1e-11);
          expect(weights.reduce((sum, weight) => sum + weight, 0)).to.be.closeTo(1, 1e-11);
        }
      }),
    );
  });

  it('chooses the weights with the smallest variance among weights with equal risk', () => {
    const table = {
      assets: 3,
      returns: Float64Array.of(0.01, 0.01, 0.01, -0.02, -0.02, -0.02, 0.03, 0.03, 0.03),
    };
    const verdict = minimumRisk(preparedOf(marketOf(table)), conditionalValueAtRisk(table, 0.5));
    if (!verdict.ok) throw new Error(verdict.reason);
    verdict.solution.weights.forEach((weight) => expect(weight).to.be.closeTo(1 / 3, 1e-7));
  });

  it('meets group constraints, and reports infeasible if the constraints cannot be met', () => {
    const table = { assets: 2, returns: Float64Array.of(0.01, -0.05, -0.01, 0.02) };
    const rows = [sumRange([1], { min: 0.4 })];
    const verdict = minimumRisk(preparedOf(marketOf(table), { rows }), conditionalValueAtRisk(table, 0.5));
    expect(verdict.ok && verdict.solution.weights[1]).to.be.at.least(0.4 - 1e-9);
    const none = minimumRisk(
      preparedOf(marketOf(table), { rows: [sumRange([1], { min: 2 })] }),
      conditionalValueAtRisk(table, 0.5),
    );
    expect(none).to.deep.equal({ ok: false, reason: 'infeasible' });
  });
});
