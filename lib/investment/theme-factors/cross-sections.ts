import type { SparseRows } from '#lib/numerics/exact-gram.ts';
import { MICRO } from '#lib/data/taxonomy.ts';
import type { UniverseSymbol } from './theme-universe.ts';

/** The data of all months: the exposures of N symbols to K themes, and the symbols' returns in T months. */
export type CrossSections = {
  symbols: number;
  months: number;
  /** T-by-N, one row per month: simple monthly returns as fractions, NaN if not observed. */
  returns: Float64Array;
  exposures: SparseRows;
};

/**
 * The coverage of a month: its observed symbols, the factors that can be estimated, and the number of symbols that the
 * estimation needs.
 */
export type MonthCoverage = {
  /** Number of symbols with a return. */
  symbols: number;
  /** Indices of the symbols without a return, ascending. */
  missing: Int32Array;
  /** Indices of the factors with enough observed symbols and exposures that vary, ascending. */
  active: number[];
  /** For each factor, whether enough symbols are observed to compute its theme index. */
  indexed: boolean[];
  symbolsNeeded: number;
  valid: boolean;
};

/**
 * Lays out the returns and exposures of a universe. The return is P_t / P_(t-1) - 1 if both month ends have a price.
 * Exposures to other themes are left out. A symbol without a selected theme keeps its (empty) row, because its return
 * contributes to the market intercept. Source: specification of svc_theme_factor_ridge_v1, steps 3 and 5.
 */
export function crossSections(
  universe: readonly UniverseSymbol[],
  themes: readonly string[],
  months: number,
) {
  const symbols = universe.length;
  const returns = new Float64Array(months * symbols);
  universe.forEach(({ monthEnds: { prices } }, row) => {
    for (let t = 0; t < months; t += 1) returns[t * symbols + row] = prices[t + 1]! / prices[t]! - 1;
  });
  return { symbols, months, returns, exposures: sparseExposures(universe, themes) } satisfies CrossSections;
}

/**
 * Returns the coverage of every month. A factor is active if at least `minimumSymbols` observed symbols have an
 * exposure to it, and if its variance over the observed symbols is above 0. A month is valid if a factor is active and
 * at least max(minimumSymbols, active factors + 2) symbols are observed. Source: specification of
 * svc_theme_factor_ridge_v1, step 6.
 */
export function monthCoverages(
  sections: CrossSections,
  { wholeCounts, minimumSymbols }: { wholeCounts: Int32Array; minimumSymbols: number },
): MonthCoverage[] {
  const { exposures, returns, symbols: rows } = sections;
  const scratch = new Int32Array(rows);
  return Array.from({ length: sections.months }, (_, t) => {
    const counts = wholeCounts.slice();
    let missingCount = 0;
    for (let row = 0; row < rows; row += 1) {
      if (!Number.isNaN(returns[t * rows + row])) continue;
      scratch[missingCount] = row;
      missingCount += 1;
      for (let a = exposures.start[row]!; a < exposures.start[row + 1]!; a += 1)
        counts[exposures.column[a]!]! -= 1;
    }
    const symbols = rows - missingCount;
    const missing = scratch.slice(0, missingCount);
    const indexed = Array.from(counts, (count) => count >= minimumSymbols);
    const active = [...counts.keys()].filter(
      (k) => indexed[k]! && (counts[k]! < symbols || varies(exposures, k, missing)),
    );
    const symbolsNeeded = Math.max(minimumSymbols, active.length + 2);
    const valid = active.length > 0 && symbols >= symbolsNeeded;
    return { symbols, missing, active, indexed, symbolsNeeded, valid };
  });
}

/**
 * Whether a column without gaps takes more than one value over the observed rows. The test is exact, because values are
 * integers.
 */
function varies(exposures: SparseRows, column: number, missing: Int32Array): boolean {
  let first = -1;
  let nextMissing = 0;
  for (let row = 0; row < exposures.rows; row += 1) {
    if (missing[nextMissing] === row) {
      nextMissing += 1;
      continue;
    }
    let entry = exposures.start[row]!;
    while (exposures.column[entry] !== column) entry += 1;
    if (first < 0) first = exposures.micro[entry]!;
    else if (exposures.micro[entry] !== first) return true;
  }
  return false;
}

function sparseExposures(universe: readonly UniverseSymbol[], themes: readonly string[]): SparseRows {
  const columnOf = new Map(themes.map((theme, column) => [theme, column]));
  const start = new Int32Array(universe.length + 1);
  const columns: number[] = [];
  const micros: number[] = [];
  universe.forEach(({ exposures }, row) => {
    for (const { theme, micro } of exposures) {
      const column = columnOf.get(theme);
      if (column === undefined) continue;
      columns.push(column);
      micros.push(micro);
    }
    start[row + 1] = columns.length;
  });
  return {
    rows: universe.length,
    columns: themes.length,
    start,
    column: Int32Array.from(columns),
    micro: Float64Array.from(micros),
    value: Float64Array.from(micros, (micro) => micro / MICRO),
  };
}
