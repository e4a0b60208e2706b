import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { Frequency, Load, Loaded } from '../load/import-request.ts';
import { instruments } from './instruments.ts';
import type { KeyOrder } from '../load/key-order.ts';
import { loadObservations } from '../load/load-observations.ts';
import type { StagedRow } from './observation-kind.ts';
import { prices } from './prices.ts';
import { registerInstruments } from '../load/register-instruments.ts';
import type { RowReader } from '../readers/row-reader.ts';
import { STAGING } from '../load/staging.ts';

/**
 * Loads a file of prices. The requested frequency is used. Without a requested frequency, the frequency is
 * derived from the columns and dates.
 */
export function loadPrices(em: Em, load: Load): Promise<Loaded> {
  return loadObservations(em, load, prices, async (reader, order) => {
    const frequency = load.frequency ?? (await frequencyOf(em, load.datasetId, reader, order));
    return { frequency };
  });
}

/** Loads a file of instruments, and assigns a public id to each new instrument. */
export function loadInstruments(em: Em, load: Load): Promise<Loaded> {
  return loadObservations(em, load, instruments, async () => {
    await registerInstruments(em, load.datasetId);
    return {};
  });
}

/**
 * Determines the frequency of a price file. The frequency is daily if a symbol has two days in one month, and monthly
 * if days are a month apart. If neither is the case, the frequency is daily if the file has open, high or low prices,
 * or if it has a symbol for which the dataset contains only a daily series.
 */
async function frequencyOf(
  em: Em,
  datasetId: number,
  reader: RowReader<StagedRow>,
  order: KeyOrder,
): Promise<Frequency> {
  if (order.hasDaysOfOneMonth) return 'daily';
  if (!order.isAscending && (await hasDaysOfOneMonth(em))) return 'daily';
  if (await isMonthApart(em)) return 'monthly';
  const ofDay = ['open', 'high', 'low'].some((name) => reader.columns!.at.has(name));
  return ofDay || (await hasOnlyDaily(em, datasetId)) ? 'daily' : 'monthly';
}

async function hasDaysOfOneMonth(em: Em): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from ${sql.table(STAGING)} group by subject, date_trunc('month', observed_on)
      having count(distinct observed_on) > 1
    ) as found
  `.execute(em.getKysely());
  return rows[0]!.found;
}

/**
 * Whether the file looks like monthly prices. More than half of the neighbouring days of a symbol must be in
 * consecutive months. Not all of them must be, because a month may have no price. In addition, all days must
 * be within the last 8 days of their month, or all at least 20 days before the next month. Without this
 * condition, corrections of a daily series could pass, because they may be a month apart by chance.
 */
async function isMonthApart(em: Em): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select coalesce(
      avg(case when months = 1 then 1 else 0 end) filter (where months is not null) > 0.5
        and (min(days_left) >= 20 or max(days_left) <= 8), false) as found
    from (
      select (date_trunc('month', observed_on) + interval '1 month')::date - observed_on as days_left,
        month - lag(month) over (partition by subject order by observed_on) as months
      from (
        select subject, observed_on,
          extract(year from observed_on)::integer * 12 + extract(month from observed_on)::integer as month
        from ${sql.table(STAGING)} group by subject, observed_on
      ) each
    ) spaced
  `.execute(em.getKysely());
  return rows[0]!.found;
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
