import type { SparseRows } from '#lib/numerics/exact-gram.ts';
import { MICRO } from '#lib/data/taxonomy.ts';
import type { UniverseSymbol } from './theme-universe.ts';

/** The data of all months: N symbols by K themes of exposures, and their returns in T months. */
export type CrossSections = {
  symbols: number;
  months: number;
  /** T-by-N, month after month: simple monthly returns as fractions, NaN where not observed. */
  returns: Float64Array;
  exposures: SparseRows;
};

/** Which symbols a month has, what can be estimated in it, and how many symbols that takes. */
export type MonthCoverage = {
  /** Number of symbols with a return. */
  symbols: number;
  /** The rows without one, in ascending order. */
  missing: Int32Array;
  /** Columns with enough observed symbols and not the same exposure everywhere, in ascending order. */
  active: number[];
  /** Columns with enough observed symbols for their index. */
  indexed: boolean[];
  symbolsNeeded: number;
  valid: boolean;
};

/**
 * Lays out the returns and exposures of a universe. Returns are P_t / P_(t-1) - 1 where both month ends have a price.
 * Exposures to other themes are left out; a symbol without a kept theme keeps its (empty) row, since it identifies
 * the market intercept. Source: specification of svc_theme_factor_ridge_v1, steps 3 and 5.
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
 * The coverage of every month. A factor is active if at least `minimumSymbols` observed symbols have it and its
 * variance over the observed symbols is above 0; the month is valid if a factor is active and at least
 * max(minimumSymbols, active factors + 2) symbols are observed. Source: specification of svc_theme_factor_ridge_v1,
 * step 6.
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

/** Whether a column that every observed row has takes more than one value there. Integers, so the answer is exact. */
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
