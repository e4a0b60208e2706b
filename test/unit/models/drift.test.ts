import { expect } from 'chai';
import { canonicalJson } from '#lib/core/seal.ts';
import { assessColumns, assessDrift, type Compared } from '#lib/models/drift/drift.ts';
import type { PerformanceFindings } from '#lib/models/drift/drift-performance.ts';
import { falseAlarms } from '../../support/false-alarms.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { FACTORS, MONTHLY_RETURNS } from '../../support/monthly-returns.ts';
import { isExhaustive, repetitions } from '../../support/repetitions.ts';

const unobserved: PerformanceFindings = {
  state: 'not_observable',
  reason: 'days_missing',
  log_score: null,
  baseline_log_score: null,
  difference_p_value: null,
};

function normals(seed: number, n: number): Float64Array {
  const out = new Float64Array(n);
  fillNormals(out, { seed, firstSample: 0, dimensions: 1 });
  return out;
}

/** Returns the input of a comparison, with the reference and the current columns converted to rows. */
function compared(reference: Record<string, number[]>, current: Record<string, number[]>): Compared {
  const columns = Object.keys(reference);
  const table = (side: Record<string, number[]>) => ({
    values: Float64Array.from(
      side[columns[0]!]!.flatMap((_, row) => columns.map((name) => side[name]![row]!)),
    ),
    dimensions: columns.length,
  });
  return { columns, reference: table(reference), current: table(current) };
}

const assess = (of: Compared) => assessDrift(of, unobserved);
const draw = (seed: number, n: number, change: (z: number, row: number) => number = (z) => z) =>
  Array.from(normals(seed, n), change);

describe('an assessment of drift', function () {
  /**
   * The numbers of rows of the reference and of the current columns. The time of the comparison grows with
   * the number of pairs of rows.
   */
  const [many, fewer] = isExhaustive ? [200, 150] : [100, 75];
  const usual = { a: draw(1, many), b: draw(2, many), c: draw(3, many), d: draw(4, many) };
  /** The assessment of the current against the reference columns, computed once for all tests. */
  let one: ReturnType<typeof assess>;
  before(() => {
    one = assess(compared(usual, later));
  });
  const later = { a: draw(5, fewer, (z) => z + 1), b: draw(6, fewer), c: draw(7, fewer), d: draw(8, fewer) };

  it('reports only the shifted column as drifted, with its effect size and adjusted p-value', () => {
    const found = one;
    expect(found.columns.map(({ column, state }) => `${column} ${state}`)).to.deep.equal([
      'a shifted',
      'b stable',
      'c stable',
      'd stable',
    ]);
    expect([
      found.severity,
      found.drifted_columns,
      found.drifted_share,
      found.retraining_requested,
    ]).to.deep.equal(['watch', 1, 0.25, false]);
    const shift = found.metrics.find(({ column, name }) => column === 'a' && name === 'mean_shift')!;
    expect(shift.value).to.be.within(0.7, 1.3);
    const test = found.metrics.find(({ column, name }) => column === 'a' && name === 'kolmogorov_smirnov')!;
    expect(test).to.deep.include({ state: 'drift', n_reference: many, n_current: fewer });
    expect(test.adjusted_p).to.be.at.least(test.p_value!);
    expect(found.metrics.find(({ name }) => name === 'hotelling')!.p_value).to.be.below(1e-6);
  });

  it('changes only the order of its columns if columns are given in another order', () => {
    const names = ['c', 'a', 'd', 'b'] as const;
    const order = (side: Record<string, number[]>) =>
      Object.fromEntries(names.map((name) => [name, side[name]!]));
    const other = assess(compared(order(usual), order(later)));
    const byName = <T extends { column: string | null }>(list: T[]) =>
      list.toSorted((x, y) => `${x.column}`.localeCompare(`${y.column}`));
    expect({ ...other, columns: byName(other.columns), metrics: byName(other.metrics) }).to.deep.equal({
      ...one,
      columns: byName(one.columns),
      metrics: byName(one.metrics),
    });
  });

  it('is the same for any order of rows in each column', () => {
    const turned = Object.fromEntries(
      Object.entries(later).map(([name, values]) => [name, values.toReversed()]),
    );
    const verdicts = (side: Record<string, number[]>) =>
      assessColumns(compared(usual, side)).map(({ compared: { measures }, adjusted, verdict }) => ({
        measures,
        adjusted,
        verdict,
      }));
    expect(verdicts(turned)).to.deep.equal(verdicts(later));
  });

  it('has the same dimensionless measures if a column is scaled in both samples', () => {
    const scaled = (side: Record<string, number[]>) => ({
      ...side,
      a: side['a']!.map((value) => value / 1_048_576),
    });
    const free = ({ metrics }: typeof one) =>
      metrics
        .filter(({ name }) => name !== 'wasserstein' && name !== 'energy')
        .map(({ column, name, value, p_value, adjusted_p, state }) => ({
          column,
          name,
          value,
          p_value,
          adjusted_p,
          state,
        }));
    expect(free(assess(compared(scaled(usual), scaled(later))))).to.deep.equal(free(one));
  });

  it('states the expected state for empty, constant, sparse, binary and very large columns', () => {
    const flag = (share: number) => (z: number) => Number(z < share);
    const reference = {
      good: draw(1, 200),
      empty: draw(2, 200, () => NaN),
      emptied: draw(3, 200),
      filled: draw(4, 200, () => NaN),
      same: draw(5, 200, () => 5),
      other: draw(6, 200, () => 5),
      lower: draw(6, 200, () => 5),
      single: draw(7, 200, (z, row) => (row === 0 ? z : NaN)),
      binary: draw(8, 200, flag(0)),
      boundless: draw(9, 200, (z) => z * 1e308),
    };
    const current = {
      good: draw(11, 200),
      empty: draw(2, 200, () => NaN),
      emptied: draw(3, 200, () => NaN),
      filled: draw(14, 200),
      same: draw(5, 200, () => 5),
      other: draw(6, 200, () => 6),
      lower: draw(6, 200, () => 4),
      single: draw(17, 200, (z, row) => (row === 0 ? z : NaN)),
      binary: draw(18, 200, flag(1)),
      boundless: draw(19, 200, (z) => z * 1e308),
    };
    const found = assess(compared(reference, current));
    expect(Object.fromEntries(found.columns.map(({ column, state }) => [column, state]))).to.deep.equal({
      good: 'stable',
      empty: 'insufficient',
      emptied: 'missing_shift',
      filled: 'missing_shift',
      same: 'constant',
      other: 'shifted',
      lower: 'shifted',
      single: 'insufficient',
      binary: 'shifted',
      boundless: 'stable',
    });
    expect(() => canonicalJson(found)).to.not.throw();
    const of = (column: string, name: string) =>
      found.metrics.find((metric) => metric.column === column && metric.name === name)!;
    expect(of('other', 'wasserstein_normalised').value).to.equal(null);
    expect(of('same', 'wasserstein_normalised').value).to.equal(0);
    expect(of('other', 'wasserstein').value).to.equal(1);
    expect(of('empty', 'kolmogorov_smirnov')).to.deep.include({
      value: null,
      p_value: null,
      state: 'unavailable',
    });
    expect(found.columns.find(({ column }) => column === 'other')!.constant_reference).to.equal(true);
    expect(found.severity).to.equal('material');
  });

  it('states why there is no multivariate result if no values can be compared', () => {
    const nothing = compared({ a: draw(1, 40, () => NaN) }, { a: draw(2, 40, () => NaN) });
    const found = assess(nothing);
    expect([found.severity, found.multivariate.reason]).to.deep.equal(['none', 'no_varying_columns']);
    const few = assess(compared({ a: draw(1, 9) }, { a: draw(2, 9) }));
    expect([few.columns[0]!.state, few.multivariate.reason]).to.deep.equal([
      'insufficient',
      'rows_insufficient',
    ]);
  });

  it('compares pairs of at most 1,000 rows of each sample, and always of the same rows', () => {
    const large = compared({ a: draw(1, 1_500) }, { a: draw(2, 40) });
    const found = assess(large);
    expect(found.multivariate).to.deep.include({
      reason: null,
      reference_rows: 1_500,
      paired_reference_rows: 1_000,
      paired_current_rows: 40,
    });
    if (isExhaustive) expect(assess(large)).to.deep.equal(found);
  });

  // The halves of this file have similar means but different variances and correlations. Of the joint tests, only the
  // classifier therefore has a p-value below 0.05.
  if (isExhaustive)
    it('equals the golden values for the two halves of a file of real returns', () => {
      const rows = MONTHLY_RETURNS.slice(1).map((line) => line.split(',').slice(1).map(Number));
      const side = (part: number[][]) => ({
        values: Float64Array.from(part.flat()),
        dimensions: FACTORS.length,
      });
      const found = assess({
        columns: FACTORS,
        reference: side(rows.slice(0, 197)),
        current: side(rows.slice(197)),
      });
      const together = (name: string) => found.metrics.find((metric) => metric.name === name)!;
      expect(together('hotelling').p_value).to.be.closeTo(0.693, 0.001);
      expect(together('mean_discrepancy').value).to.be.closeTo(0.003951, 1e-6);
      expect(together('mean_discrepancy').p_value).to.be.closeTo(0.057, 0.02);
      expect(together('classifier_area').value).to.be.closeTo(0.764, 0.02);
      expect(together('classifier_area').p_value).to.be.below(0.05);
    });

  it('reports drift in at most a tenth of comparisons of 20 columns without drift', () => {
    expect(falseAlarms({ rows: 250, runs: repetitions.drifts, seed: 250 })).to.be.at.most(0.1);
  });
});
