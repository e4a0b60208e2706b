import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { EffectiveAction } from './adjustment.ts';
import { knownRows } from './as-of.query.ts';
import type { ActionType } from './corporate-action.ts';
import type { Series } from './instrument-series.query.ts';
import { seriesRows, type ObservedRow } from './series-rows.query.ts';

export type ActionRow = ObservedRow & {
  type: ActionType;
  amount: string | null;
  ratio: string | null;
  basis: string | null;
};

export const actionReading = {
  table: 'corporate_action',
  key: 'type',
  columns: ['amount', 'ratio', 'basis'],
} as const;

/** The largest number of corporate actions that are read for a company. */
const ACTIONS_MAX = 10_000;

/**
 * The maximum age in days of the close before an ex-date. The age is large enough to reach the last month end of a
 * monthly series.
 */
const CLOSE_DAYS = 40;

/**
 * Returns the actions that took effect from the day `from` (default: the first action) until the day `until`,
 * as known at the as-of moment. Each action has the close before its ex-date: the daily close, or the last
 * monthly close if there is no daily close.
 */
export async function effectiveActions(
  em: Em,
  { prices, actions }: { prices: Series; actions: Series },
  { asOf, from, until }: { asOf: string | undefined; from?: string; until: string },
): Promise<EffectiveAction[]> {
  const found = await seriesRows<ActionRow>(em, actions, actionReading, {
    asOf,
    from,
    to: until,
    after: undefined,
    limit: ACTIONS_MAX,
  });
  const symbolOn = (day: string) =>
    prices.ranges.find((range) => range.until === null || day < range.until)!.symbol;
  const closes = knownRows({
    table: 'price',
    key: ['frequency', 'observed_on'],
    columns: ['close'],
    where: sql`o.dataset_id = ${prices.datasetId} and o.symbol = a.symbol and o.revision <= ${prices.revision}
      and o.observed_on < a.ex_date and o.observed_on >= a.ex_date - ${CLOSE_DAYS}::integer`,
    asOf,
  });
  const { rows } = await sql<{ close: string | null }>`
    select before.close
    from unnest(
      ${found.map(({ observedOn }) => observedOn)}::date[],
      ${found.map(({ observedOn }) => symbolOn(observedOn))}::text[]
    ) with ordinality a (ex_date, symbol, place)
    left join lateral (
      select c.close::text from ${closes} c order by c.frequency, c.observed_on desc limit 1
    ) before on true
    order by a.place
  `.execute(em.getKysely());
  return found.map(({ observedOn, type, amount, ratio }, at) => ({
    exDate: observedOn,
    type,
    amount,
    ratio,
    closeBefore: rows[at]!.close,
  }));
}
