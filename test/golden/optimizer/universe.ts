import { linearRange, sumRange, type LinearRange } from '#lib/numerics/optimisation/linear-range.ts';
import {
  portfolioPolyhedron,
  type AbsoluteTerm,
  type PortfolioPolyhedron,
} from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import type { ReturnTable } from '#lib/numerics/optimisation/risk-measure.ts';
import { asList, asMembers, asNumber, asText, type Members } from '../golden-file.ts';
import { GoldenFileError } from '../report.ts';

/** The assets of a case: annual means and covariances, and the returns of each period. */
export type Universe = {
  symbols: string[];
  means: Float64Array;
  covariance: Float64Array;
  table: ReturnTable;
};

/**
 * Reads the returns and computes annual values: the mean of the returns and their sample covariance (ddof 1),
 * each times the number of periods per year.
 */
export function universeOf(value: Members, name: string): Universe {
  const symbols = asList(value['symbols'], `${name}.symbols`).map((each) => asText(each, 'symbol'));
  const periods = asNumber(value['periods_per_year'], `${name}.periods_per_year`);
  const rows = asList(value['returns'], `${name}.returns`).map((row) =>
    asList(row, 'row').map((each) => asNumber(each, 'return')),
  );
  const size = symbols.length;
  if (rows.length < 2 || rows.some((row) => row.length !== size))
    throw new GoldenFileError(`${name}.returns are not complete`);
  const means = symbols.map((_, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length);
  const covariance = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1)
    for (let j = 0; j < size; j += 1) {
      const products = rows.reduce((sum, row) => sum + (row[i]! - means[i]!) * (row[j]! - means[j]!), 0);
      covariance[i * size + j] = (products / (rows.length - 1)) * periods;
    }
  return {
    symbols,
    means: Float64Array.from(means, (mean) => mean * periods),
    covariance,
    table: { assets: size, returns: Float64Array.from(rows.flat()) },
  };
}

/** Reads weights as a list, or by symbol. A symbol without a weight has 0. */
export function weightsOf({ symbols }: Universe, value: unknown, name: string): Float64Array {
  if (Array.isArray(value)) return Float64Array.from(value, (each) => asNumber(each, name));
  const members = asMembers(value, name);
  return Float64Array.from(symbols, (symbol) => asNumber(members[symbol] ?? 0, `${name}.${symbol}`));
}

/**
 * Returns the constraints of a problem: bounds (0 to 1 by default), groups, a limit on turnover, and the rows
 * in `rows`.
 */
export function polyhedronOf(
  universe: Universe,
  problem: Members,
  name: string,
  rows: readonly LinearRange[] = [],
): PortfolioPolyhedron {
  const size = universe.symbols.length;
  const [min, max] = sidesOf(problem['bounds'] ?? [0, 1], `${name}.bounds`);
  const absolutes: AbsoluteTerm[] = [];
  if (problem['turnover_max_two_way'] !== undefined) {
    const from = weightsOf(universe, problem['previous'], `${name}.previous`);
    absolutes.push({ from, max: asNumber(problem['turnover_max_two_way'], `${name}.turnover_max_two_way`) });
  }
  const verdict = portfolioPolyhedron(universe.covariance, {
    lower: new Float64Array(size).fill(min),
    upper: new Float64Array(size).fill(max),
    budget: 1,
    rows: [...groupsOf(universe, problem, name), ...rows],
    absolutes,
  });
  if (!verdict.ok) throw new RangeError(`${name}: the covariance matrix has the pivot ${verdict.pivot}`);
  return verdict.polyhedron;
}

function groupsOf({ symbols }: Universe, problem: Members, name: string): LinearRange[] {
  return Object.entries(asMembers(problem['groups'] ?? {}, `${name}.groups`)).map(([key, value]) => {
    const group = asMembers(value, `${name}.groups.${key}`);
    const members = asList(group['members'], 'members').map((each) =>
      symbols.indexOf(asText(each, 'member')),
    );
    const [min, max] = sidesOf(group['bounds'], `${name}.groups.${key}.bounds`);
    return sumRange(
      members.toSorted((one, other) => one - other),
      { min, max },
    );
  });
}

function sidesOf(value: unknown, name: string): [number, number] {
  const [min, max] = asList(value, name).map((each) => asNumber(each, name));
  return [min!, max!];
}

/** Returns the constraint that the return of the portfolio is at least `min`. */
export function returnRow({ means }: Universe, min: number): LinearRange {
  return linearRange(means, { min });
}
