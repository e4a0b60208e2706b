import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

export type KindFiles = { csv: string; copy: string; rows: number };

export type Files = { csv: string; copy: string };

type Line = { csv: string; copy: string };

const METRICS = ['revenue', 'ebitda', 'net_income', 'eps'] as const;
const QUARTERS = 40;
export const DAY_END = '23:59:59.999999+00';

/**
 * Writes values of four metrics over 40 quarters, as CSV and as the COPY text of the rows that the import
 * creates.
 */
export function writeFundamentals(files: Files, rows: number): Promise<KindFiles> {
  const perSymbol = QUARTERS * METRICS.length;
  return writeBoth(files, 'symbol,as_of,metric,value', rows, (at) => {
    const symbol = symbolOf(Math.floor(at / perSymbol));
    const day = quarterEnd(Math.floor((at % perSymbol) / METRICS.length));
    const metric = METRICS[at % METRICS.length]!;
    const value = String(1_000 + ((at * 7_919) % 900_000));
    return {
      csv: `${symbol},${day},${metric},${value}`,
      copy: `1\t${symbol}\t${metric}\t${day}\t${day} ${DAY_END}\tstated\t1\tf\t${value}`,
    };
  });
}

/** Writes quarterly cash dividends, as CSV and as the COPY text of the rows that the import creates. */
export function writeActions(files: Files, rows: number): Promise<KindFiles> {
  return writeBoth(files, 'symbol,ex_date,type,amount', rows, (at) => {
    const symbol = symbolOf(Math.floor(at / QUARTERS));
    const day = quarterEnd(at % QUARTERS);
    const amount = `0.${String(1_000 + (at % 8_999))}`;
    return {
      csv: `${symbol},${day},cash_dividend,${amount}`,
      copy: `1\t${symbol}\tcash_dividend\t${day}\t${day} ${DAY_END}\tassumed\t1\tf\t${amount}\t\\N\t\\N`,
    };
  });
}

const MONTHS = 240;

/**
 * Writes monthly values of economic series, as CSV and as the COPY text of the rows that the import creates.
 */
export function writeEconomics(files: Files, rows: number): Promise<KindFiles> {
  return writeBoth(files, 'series,date,value', rows, (at) => {
    const series = symbolOf(Math.floor(at / MONTHS));
    const day = new Date(Date.UTC(2000, at % MONTHS, 1)).toISOString().slice(0, 10);
    const value = `${1_000 + ((at * 7_919) % 900_000)}.5`;
    return {
      csv: `${series},${day},${value}`,
      copy: `1\t${series}\t${day}\t${day} ${DAY_END}\tassumed\t1\tf\t${value}`,
    };
  });
}

/**
 * Writes two files in parallel: the CSV lines, and the rows that an import creates from them. Calls `lineOf`
 * for each index in order.
 */
export async function writeBoth(
  files: Files,
  header: string,
  rows: number,
  lineOf: (at: number) => Line,
): Promise<KindFiles> {
  const csv = createWriteStream(files.csv);
  const copy = createWriteStream(files.copy);
  csv.write(`${header}\n`);
  const BATCH = 10_000;
  for (let first = 0; first < rows; first += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, rows - first) }, (_, at) => lineOf(first + at));
    csv.write(lines.map((line) => `${line.csv}\n`).join(''));
    if (!copy.write(lines.map((line) => `${line.copy}\n`).join(''))) await once(copy, 'drain');
  }
  csv.end();
  copy.end();
  await Promise.all([finished(csv), finished(copy)]);
  return { ...files, rows };
}

export function symbolOf(number: number): string {
  return `S${String(number).padStart(5, '0')}`;
}

/** Returns the last day of a quarter, counted from the first quarter of 2010. */
function quarterEnd(quarter: number): string {
  return new Date(Date.UTC(2010, 3 * quarter + 3, 0)).toISOString().slice(0, 10);
}
