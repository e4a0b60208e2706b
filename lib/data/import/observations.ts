import { sql } from 'kysely';
import type { Em } from '#lib/database/orm.ts';
import type { Frequency, Load, Loaded } from './import-file.ts';
import { instruments } from './instruments.ts';
import type { KeyOrder } from './key-order.ts';
import { loadObservations } from './load-observations.ts';
import type { StagedRow } from './observation-kind.ts';
import { prices } from './prices.ts';
import { registerInstruments } from './register-instruments.ts';
import type { RowReader } from './row-reader.ts';
import { STAGING } from './staging.ts';

/** Loads a file of prices. Its frequency is the one asked for, or what its columns and dates look like. */
export function loadPrices(em: Em, load: Load): Promise<Loaded> {
  return loadObservations(em, load, prices, async (reader, order) => {
    const frequency = load.frequency ?? (await frequencyOf(em, load.datasetId, reader, order));
    return { frequency };
  });
}

/** Loads a file about instruments, and gives each that is new its public id. */
export function loadInstruments(em: Em, load: Load): Promise<Loaded> {
  return loadObservations(em, load, instruments, async () => {
    await registerInstruments(em, load.datasetId);
    return {};
  });
}

/**
 * Daily when the file has prices of a day's course, two days of one month of a symbol, or a symbol of which the dataset
 * has a daily series only, as a small correction of one has; else monthly.
 */
async function frequencyOf(
  em: Em,
  datasetId: number,
  reader: RowReader<StagedRow>,
  order: KeyOrder,
): Promise<Frequency> {
  const ofDay = ['open', 'high', 'low'].some((name) => reader.columns!.at.has(name));
  if (ofDay || order.hasDaysOfOneMonth) return 'daily';
  if (await hasOnlyDaily(em, datasetId)) return 'daily';
  if (order.isAscending) return 'monthly';
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from ${sql.table(STAGING)} group by subject, date_trunc('month', observed_on)
      having count(distinct observed_on) > 1
    ) as found
  `.execute(em.getKysely());
  return rows[0]!.found ? 'daily' : 'monthly';
}

async function hasOnlyDaily(em: Em, datasetId: number): Promise<boolean> {
  const series = (frequency: Frequency) => sql`exists (
    select from price p
    where p.dataset_id = ${datasetId} and p.symbol = staged.subject and p.frequency = ${frequency}
  )`;
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from (select distinct subject from ${sql.table(STAGING)}) staged
      where ${series('daily')} and not ${series('monthly')}
    ) as found
  `.execute(em.getKysely());
  return rows[0]!.found;
}
