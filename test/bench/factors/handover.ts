import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { MICRO } from '#lib/data/taxonomy.ts';
import { crossSections, type CrossSections } from '#lib/investment/theme-factors/cross-sections.ts';
import { monthWindow } from '#lib/investment/theme-factors/month-end-prices.ts';
import type { SparseRows } from '#lib/numerics/exact-gram.ts';
import { selectThemes, selectUniverse } from '#lib/investment/theme-factors/theme-universe.ts';
import type { Market } from './market.ts';

/** The input of a month-by-month regression, which is the same for subject and peer. */
export type Regressions = { sections: CrossSections; lambda: number; minimumSymbols: number };

const HEADER_BYTES = 24;

/** Returns the returns and exposures of a market, prepared by the model itself. */
export function regressionsOf({ request, data }: Market): Regressions {
  const minimumSymbols = request.minimum_symbols_per_factor;
  const window = monthWindow(request.as_of_date, request.history_months);
  const { exposures } = data.taxonomy!;
  const universe = selectUniverse(exposures, data.prices, { window, maxSymbols: request.max_symbols });
  const themes = selectThemes(exposures, universe.symbols, {
    minimumSymbols,
    maxFactors: request.max_factors,
  });
  const sections = crossSections(universe.symbols, themes.kept, request.history_months);
  return { sections, lambda: request.ridge_lambda, minimumSymbols };
}

/**
 * Writes the input as a little-endian binary file: int32 symbols N, months T, themes K, minimum of symbols;
 * float64 lambda; float64 exposures N-by-K, dense; float64 returns T-by-N, NaN for missing values.
 */
export function writeRegressions(path: string, { sections, lambda, minimumSymbols }: Regressions): void {
  const { symbols, months, returns, exposures } = sections;
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  [symbols, months, exposures.columns, minimumSymbols].forEach((value, at) =>
    header.setInt32(4 * at, value, true),
  );
  header.setFloat64(16, lambda, true);
  const dense = new Float64Array(symbols * exposures.columns);
  for (let row = 0; row < symbols; row += 1) {
    for (let a = exposures.start[row]!; a < exposures.start[row + 1]!; a += 1) {
      dense[row * exposures.columns + exposures.column[a]!] = exposures.value[a]!;
    }
  }
  writeFileSync(path, Buffer.concat([header, dense, returns].map(bytesOf)));
}

/** Reads the file that `writeRegressions` wrote. The dense exposures are never in memory all at once. */
export function readRegressions(path: string): Regressions {
  const file = openSync(path, 'r');
  try {
    const header = new DataView(new ArrayBuffer(HEADER_BYTES));
    readSync(file, header);
    const [symbols, months, columns, minimumSymbols] = [0, 4, 8, 12].map((at) => header.getInt32(at, true));
    const exposures = readExposures(file, symbols!, columns!);
    const returns = new Float64Array(months! * symbols!);
    readSync(file, returns);
    const sections = { symbols: symbols!, months: months!, returns, exposures };
    return { sections, lambda: header.getFloat64(16, true), minimumSymbols: minimumSymbols! };
  } finally {
    closeSync(file);
  }
}

function readExposures(file: number, rows: number, columns: number): SparseRows {
  const start = new Int32Array(rows + 1);
  const column = new Int32Array(rows * columns);
  const value = new Float64Array(rows * columns);
  const row = new Float64Array(columns);
  let count = 0;
  for (let at = 0; at < rows; at += 1) {
    readSync(file, row);
    for (let k = 0; k < columns; k += 1) {
      if (row[k] === 0) continue;
      column[count] = k;
      value[count] = row[k]!;
      count += 1;
    }
    start[at + 1] = count;
  }
  const micro = value.slice(0, count).map((exposure) => Math.round(exposure * MICRO));
  return { rows, columns, start, column: column.slice(0, count), micro, value: value.slice(0, count) };
}

function bytesOf(view: ArrayBufferView): Buffer {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}
