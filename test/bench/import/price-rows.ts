import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

export type PriceFiles = { csv: string; copy: string; rows: number };

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2000, 0, 3);
const WEEKDAYS = 5;

/**
 * Writes the same daily prices twice: as the CSV that an operator imports, and as the COPY text of the rows
 * that the import creates from the CSV, for dataset 1 and revision 1. The rows are sorted by symbol and then
 * by day.
 */
export async function writePriceFiles(
  files: { csv: string; copy: string },
  { symbols, days }: { symbols: number; days: number },
): Promise<PriceFiles> {
  const csv = createWriteStream(files.csv);
  const copy = createWriteStream(files.copy);
  csv.write('symbol,date,open,high,low,close,adj_close,volume\n');
  const dates = tradingDays(days);
  for (let number = 0; number < symbols; number += 1) {
    const symbol = `S${String(number).padStart(5, '0')}`;
    const values = dailyValues(number, days);
    csv.write(dates.map((date, day) => `${symbol},${date},${values[day]!.join(',')}\n`).join(''));
    const rows = dates.map((date, day) => {
      const key = `1\t${symbol}\tdaily\t${date}\t${date} 23:59:59.999999+00\tassumed\t1`;
      return `${key}\t${values[day]!.join('\t')}\n`;
    });
    if (!copy.write(rows.join(''))) await once(copy, 'drain');
  }
  csv.end();
  copy.end();
  await Promise.all([finished(csv), finished(copy)]);
  return { ...files, rows: symbols * days };
}

function tradingDays(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const day = Math.floor(at / WEEKDAYS) * 7 + (at % WEEKDAYS);
    return new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
  });
}

/**
 * Generates open, high, low, close, adjusted close and volume of each day, from a price that follows a random
 * walk.
 */
function dailyValues(seed: number, days: number): string[][] {
  let state = (seed + 1) * 2_654_435_761;
  let price = 20 + (seed % 200);
  return Array.from({ length: days }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    price *= 0.98 + 0.0401 * (state / 4_294_967_296);
    const close = price.toFixed(2);
    const [open, high, low] = [price * 0.999, price * 1.01, price * 0.99].map((value) => value.toFixed(2));
    return [open!, high!, low!, close, (price * 0.97).toFixed(4), String(100_000 + (state % 900_000))];
  });
}
