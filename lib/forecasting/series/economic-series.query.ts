import { sql } from 'kysely';
import { daysBetween } from '#lib/core/date.ts';
import type { Em } from '#lib/database/base.ts';
import { knownRows } from '#lib/data/as-of.query.ts';
import type { EconomicFrequency } from '#lib/data/economic-series.ts';
import { lastDayOfPeriod } from '#lib/data/period-steps.ts';
import type { PeriodFrequency } from '#lib/data/period.ts';
import type { Knowledge } from './knowledge.ts';
import type { PeriodValue } from './period-grid.ts';

/** An economic series by period. */
export type EconomicValues = {
  datasetId: number;
  unit: string | null;
  frequency: PeriodFrequency;
  observed: PeriodValue[];
};

/**
 * Returns the known values of an economic series. A dataset of the workspace takes precedence over a dataset of the
 * platform; of two datasets with the same owner, the older takes precedence. If the description of the series has no
 * frequency, the spacing of its days determines it. A series that is observed every two weeks becomes monthly, and a
 * half-yearly series becomes yearly (`meanByPeriod`). Returns undefined if nothing was known.
 */
export async function economicValues(
  em: Em,
  key: string,
  { at, revisions }: Knowledge,
): Promise<EconomicValues | undefined> {
  const { rows } = await sql<{
    datasetId: number;
    unit: string | null;
    frequency: EconomicFrequency | null;
    revision: number;
  }>`
    select distinct on (d.workspace_uid is null, d.id) d.id as "datasetId", s.unit, s.frequency,
      pinned.value::int as revision
    from jsonb_each_text(${JSON.stringify(revisions)}::jsonb) pinned
    join dataset d on d.id = pinned.key::int and d.kind = 'economics'
    join economic_series s on s.dataset_id = d.id and s.key = ${key} and s.revision <= pinned.value::int
    order by d.workspace_uid is null, d.id, s.revision desc
  `.execute(em.getKysely());
  for (const { datasetId, unit, frequency: stated, revision } of rows) {
    const days = await knownDays(em, { datasetId, key, revision, at });
    if (days.length === 0) continue;
    const frequency = stated ?? spacing(days.map(({ day }) => day));
    if (frequency === 'biweekly' || frequency === 'semiannual') {
      const longer = LONGER[frequency];
      return { datasetId, unit, frequency: longer, observed: meanByPeriod(longer, days) };
    }
    return { datasetId, unit, frequency, observed: byPeriod(frequency, days) };
  }
  return undefined;
}

/** For each frequency without named periods, the longer frequency at which its series are forecast. */
const LONGER = { biweekly: 'monthly', semiannual: 'yearly' } as const;
/** Minimum number of values in a longer period. */
const LONGER_VALUES_MIN = 2;

type Day = { day: string; value: number };
type DaysQuestion = { datasetId: number; key: string; revision: number; at: string };

async function knownDays(em: Em, { datasetId, key, revision, at }: DaysQuestion): Promise<Day[]> {
  const known = knownRows({
    table: 'economic_observation',
    key: ['observed_on'],
    columns: ['value'],
    where: sql`o.dataset_id = ${datasetId} and o.series = ${key} and o.revision <= ${revision}`,
    asOf: { instant: sql`${at}::timestamptz` },
  });
  const { rows } = await sql<{ day: string; value: string }>`
    select observed_on::text as day, value::text as value from ${known} known order by observed_on
  `.execute(em.getKysely());
  return rows.map(({ day, value }) => ({ day, value: Number(value) }));
}

/** Returns the last value of each period. */
function byPeriod(frequency: PeriodFrequency, days: readonly Day[]): PeriodValue[] {
  const values: PeriodValue[] = [];
  for (const { day, value } of days) {
    const lastDay = lastDayOfPeriod(frequency, day);
    if (values.at(-1)?.lastDay === lastDay) values.pop();
    values.push({ lastDay, value });
  }
  return values;
}

/**
 * Returns the mean of the values in each period. A period with fewer than two values, such as an unfinished period, is
 * left out.
 *
 * Example: values 1 and 3 on 2024-01-05 and 2024-01-19 give 2 for January 2024.
 */
export function meanByPeriod(frequency: PeriodFrequency, days: readonly Day[]): PeriodValue[] {
  const groups = Map.groupBy(days, ({ day }) => lastDayOfPeriod(frequency, day));
  return [...groups].flatMap(([lastDay, values]) => {
    if (values.length < LONGER_VALUES_MIN) return [];
    let sum = 0;
    for (const { value } of values) sum += value;
    return [{ lastDay, value: sum / values.length }];
  });
}

/** Returns the frequency that matches the median number of days between neighbouring days; yearly for a single day. */
export function spacing(days: readonly string[]): EconomicFrequency {
  const gaps = days.slice(1).map((day, at) => daysBetween(days[at]!, day));
  const median = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 365;
  if (median <= 4) return 'daily';
  if (median <= 10) return 'weekly';
  if (median <= 20) return 'biweekly';
  if (median <= 45) return 'monthly';
  if (median <= 135) return 'quarterly';
  return median <= 270 ? 'semiannual' : 'yearly';
}
