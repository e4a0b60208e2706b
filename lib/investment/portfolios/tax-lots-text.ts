import { joinCsvLine } from '#lib/data/import/readers/csv-line.ts';
import type { TaxLot } from './tax-lot.ts';

const columns = [
  'lot',
  'symbol',
  'instrument_uid',
  'currency',
  'acquired_on',
  'holding_since',
  'term',
  'long_from',
  'quantity',
  'cost_minor',
  'basis_minor',
  'wash_added_minor',
  'price',
  'price_on',
  'value_minor',
  'gain_minor',
  'gain_bps',
  'closed_on',
  'closed_quantity',
  'proceeds_minor',
  'closed_gain_minor',
  'disallowed_minor',
  'known_at',
] as const;

/** Returns rows as CSV (RFC 4180) with a header line. The member `closed` is written as five columns. */
export function taxLotsCsv(lots: readonly TaxLot[]): string {
  const lines = lots.map((lot) => {
    const row = flat(lot);
    return joinCsvLine(columns.map((name) => (row[name] === null ? '' : String(row[name]))));
  });
  return [joinCsvLine([...columns]), ...lines].map((line) => `${line}\r\n`).join('');
}

/** Returns rows as JSON lines. */
export function taxLotsLines(lots: readonly TaxLot[]): string {
  return lots.map((lot) => `${JSON.stringify(lot)}\n`).join('');
}

function flat({ closed, ...lot }: TaxLot): Record<(typeof columns)[number], string | number | null> {
  return {
    ...lot,
    closed_on: closed?.on ?? null,
    closed_quantity: closed?.quantity ?? null,
    proceeds_minor: closed?.proceeds_minor ?? null,
    closed_gain_minor: closed?.gain_minor ?? null,
    disallowed_minor: closed?.disallowed_minor ?? null,
  };
}
