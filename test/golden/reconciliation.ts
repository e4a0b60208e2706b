import { Matrix } from 'ml-matrix';
import { hierarchyOf, type Hierarchy, type Sum } from '#lib/numerics/reconciliation/hierarchy.ts';
import { bottomUpMatrix, reconcilingMatrix } from '#lib/numerics/reconciliation/reconciling-matrix.ts';
import { shrunkErrorCovariance } from '#lib/numerics/reconciliation/shrunk-error-covariance.ts';
import { asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

const TOLERANCE = 1e-11;

/**
 * Compares shrunk covariances and reconciled forecasts with a file of errors and results. Throws a `GoldenFileError` on
 * an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [at, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    const entry = asMembers(value, `cases[${at}]`);
    const name = asText(entry['name'], `cases[${at}].name`);
    tally.case();
    const found = hierarchyOf(asNumber(entry['series'], name), sumsOf(entry['sums'], name));
    tally.equal(`${name}.is_hierarchy`, true, found.ok);
    if (!found.ok) continue;
    const { covariance, shrinkage } = shrunkErrorCovariance(new Matrix(rowsOf(entry['errors'], name)));
    tally.number(`${name}.shrinkage`, asNumber(entry['shrinkage'], name), shrinkage, TOLERANCE);
    compare(`${name}.covariance`, rowsOf(entry['covariance'], name), covariance);
    const base = new Matrix(rowsOf(entry['base'], name)).transpose();
    const expected = asMembers(entry['expected'], `${name}.expected`);
    for (const [method, matrix] of Object.entries(matricesOf(found.hierarchy, covariance))) {
      const of = asMembers(expected[method], `${name}.${method}`);
      if (of['matrix'] !== undefined) compare(`${name}.${method}.matrix`, rowsOf(of['matrix'], name), matrix);
      compare(`${name}.${method}.reconciled`, rowsOf(of['reconciled'], name), matrix.mmul(base).transpose());
    }
  }
  return tally.report;

  function compare(label: string, expected: number[][], found: Matrix): void {
    // Zeros of the matrices are sums that cancel, so the largest value of a matrix is added to both sides.
    const largest = Math.max(...expected.flat().map(Math.abs));
    for (const [row, values] of expected.entries())
      for (const [column, value] of values.entries())
        tally.number(
          `${label}[${row}][${column}]`,
          value + largest,
          found.get(row, column) + largest,
          TOLERANCE,
        );
  }
}

function matricesOf(hierarchy: Hierarchy, covariance: Matrix): Record<string, Matrix> {
  const counts = hierarchy.coefficients.map((row) => row.reduce((sum, count) => sum + count, 0));
  return {
    ols: reconcilingMatrix(hierarchy, Matrix.eye(counts.length)),
    wls_structural: reconcilingMatrix(hierarchy, Matrix.diag(counts)),
    mint_shrink: reconcilingMatrix(hierarchy, covariance),
    bottom_up: bottomUpMatrix(hierarchy),
  };
}

function sumsOf(value: unknown, name: string): Sum[] {
  return asList(value, name).map((each) => {
    const { total, parts } = asMembers(each, name);
    return { total: asNumber(total, name), parts: asList(parts, name).map((part) => asNumber(part, name)) };
  });
}

function rowsOf(value: unknown, name: string): number[][] {
  return asList(value, name).map((row) => asList(row, name).map((each) => asNumber(each, name)));
}
