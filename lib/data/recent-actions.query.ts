import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { actionReading, type ActionRow } from './adjustment.query.ts';
import { instant, knownRows } from './as-of.query.ts';
import type { Series } from './instrument-series.query.ts';
import { ofWholeSeries } from './series-rows.query.ts';

export type RecentActions = {
  /** The newest actions whose ex-date is on or before the day, newest first. */
  last: ActionRow[];
  /** The next announced action, whose ex-date is after the day. */
  next: ActionRow | undefined;
};

/** Returns the corporate actions before and after a day, as known by the end of that day. */
export async function recentActions(
  em: Em,
  series: Series,
  { day, limit }: { day: string; limit: number },
): Promise<RecentActions> {
  const last = await actionRows(em, series, {
    day,
    among: sql`o.observed_on <= ${day}::date`,
    newestFirst: true,
    limit,
  });
  const [next] = await actionRows(em, series, {
    day,
    among: sql`o.observed_on > ${day}::date`,
    newestFirst: false,
    limit: 1,
  });
  return { last, next };
}

type Actions = { day: string; among: RawBuilder<unknown>; newestFirst: boolean; limit: number };

async function actionRows(
  em: Em,
  series: Series,
  { day, among, newestFirst, limit }: Actions,
): Promise<ActionRow[]> {
  const { table, key, columns } = actionReading;
  const known = knownRows({
    table,
    key: ['observed_on', key],
    columns: ['known_at_basis', ...columns],
    where: sql`${ofWholeSeries(series)} and ${among}`,
    asOf: day,
    newestFirst,
  });
  const direction = newestFirst ? sql`desc` : sql``;
  const { rows } = await sql<ActionRow>`
    select r.observed_on::text as "observedOn", r.type, r.amount::text, r.ratio::text, r.basis,
      ${instant(sql`r.known_at`)} as "knownAt", r.known_at_basis as "knownAtBasis"
    from ${known} r order by r.observed_on ${direction}, r.type ${direction} limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
