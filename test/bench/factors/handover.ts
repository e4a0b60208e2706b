import { readFileSync, writeFileSync } from 'node:fs';
import { MICRO } from '#lib/data/taxonomy.ts';
import { crossSections, type CrossSections } from '#lib/investment/cross-sections.ts';
import { monthWindow } from '#lib/investment/month-end-prices.ts';
import { selectThemes, selectUniverse } from '#lib/investment/theme-universe.ts';
import type { Market } from './market.ts';

/** What a month-by-month regression needs, the same for both sides. */
export type Regressions = { sections: CrossSections; lambda: number; minimumSymbols: number };

const HEADER_BYTES = 24;

/** The returns and exposures of a market, by the model's own preparation. */
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
 * Little-endian: int32 symbols N, months T, themes K, minimum of symbols; float64 lambda; float64 exposures N-by-K,
 * dense; float64 returns T-by-N, NaN where there is none.
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

/** Inverse of `writeRegressions`. */
export function readRegressions(path: string): Regressions {
  const bytes = readFileSync(path);
  const [symbols, months, columns, minimumSymbols] = [0, 4, 8, 12].map((at) => bytes.readInt32LE(at));
  const values = new Float64Array(bytes.buffer.slice(bytes.byteOffset + HEADER_BYTES));
  const cells = symbols! * columns!;
  const start = new Int32Array(symbols! + 1);
  const column: number[] = [];
  for (let row = 0; row < symbols!; row += 1) {
    for (let k = 0; k < columns!; k += 1) if (values[row * columns! + k] !== 0) column.push(k);
    start[row + 1] = column.length;
  }
  const value = values.subarray(0, cells).filter((exposure) => exposure !== 0);
  const exposures = {
    rows: symbols!,
    columns: columns!,
    start,
    column: Int32Array.from(column),
    micro: value.map((exposure) => Math.round(exposure * MICRO)),
    value,
  };
  const sections = { symbols: symbols!, months: months!, returns: values.subarray(cells), exposures };
  return { sections, lambda: bytes.readDoubleLE(16), minimumSymbols: minimumSymbols! };
}

function bytesOf(view: ArrayBufferView): Buffer {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}
