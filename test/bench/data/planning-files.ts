import { addDays } from '#lib/core/date.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { sha256 } from '#lib/core/seal.ts';
import { metricCatalogue } from '#lib/data/metric.ts';
import { DAY_END, writeBoth, type Files, type KindFiles } from './files.ts';

/** The metrics that need no currency: counts and ratios. */
const METRICS = metricCatalogue
  .filter(({ unit }) => unit !== 'money')
  .map(({ name }) => name)
  .sort();
const FIRST_DAY = '2000-01-01';
const DAYS = 5_000;

/** Writes daily metrics of one company after another, metric by metric. */
export function writeMetrics(files: Files, rows: number, companies: readonly number[]): Promise<KindFiles> {
  const perMetric = Math.ceil(rows / (companies.length * METRICS.length));
  const perCompany = perMetric * METRICS.length;
  return writeBoth(files, 'company_id,metric,period,value', rows, (at) => {
    const company = companies[Math.floor(at / perCompany)]!;
    const metric = METRICS[Math.floor((at % perCompany) / perMetric)]!;
    const day = addDays(FIRST_DAY, at % perMetric);
    const value = String(1 + ((at * 7_919) % 900));
    return {
      csv: `${company},${metric},${day},${value}`,
      copy: `1\t${company}\t${metric}\tdaily\t${day}\t${day} ${DAY_END}\tassumed\t1\tf\t${value}\t\\N`,
    };
  });
}

/** Writes posted transactions of ten accounts, day by day. */
export function writeTransactions(files: Files, rows: number): Promise<KindFiles> {
  const accounts = Array.from({ length: 10 }, () => newUid(prefixes.ledgerAccount));
  const imported = newUid(prefixes.ledgerImport);
  return writeBoth(
    files,
    'booked_at,direction,currency,amount_minor,account,description,status,reference',
    rows,
    (at) => {
      const day = addDays(FIRST_DAY, Math.floor(at / 50) % DAYS);
      const direction = at % 3 === 0 ? 'debit' : 'credit';
      const amount = 100 + ((at * 7_919) % 900_000);
      const said = [`Payment ${at}`, 'posted', `R-${at}`] as const;
      const moment = `${day} 00:00:00+00`;
      return {
        csv: [`${day}T00:00:00Z`, direction, 'EUR', amount, `account ${at % 10}`, ...said].join(','),
        copy: [
          newUid(prefixes.ledgerTransaction),
          'wsp_bare',
          'sandbox',
          accounts[at % 10]!,
          imported,
          moment,
          day,
          direction,
          'EUR',
          amount,
          2,
          '\\N',
          said[0],
          '\\N',
          said[1],
          '\\N',
          'file',
          said[2],
          sha256(said[2]),
          moment,
        ].join('\t'),
      };
    },
  );
}

const COLUMNS = Array.from({ length: 8 }, (_, at) => `x${at + 1}`);

/** Writes rows of eight numbers, each for one entity and day. */
export function writeNumeric(files: Files, rows: number): Promise<KindFiles> {
  return writeBoth(files, ['date', 'entity', ...COLUMNS].join(','), rows, (at) => {
    const day = addDays(FIRST_DAY, at % DAYS);
    const entity = `E${Math.floor(at / DAYS)}`;
    const numbers = COLUMNS.map((_, place) => (((at + 1) * (place + 7_919)) % 1_000_003) / 1_000);
    return {
      csv: [day, entity, ...numbers].join(','),
      copy: `1\t1\t${at + 1}\t${day}\t${entity}\t{${numbers.join(',')}}`,
    };
  });
}
