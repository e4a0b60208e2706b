import { sql, type RawBuilder } from 'kysely';
import { isEntitled } from '#lib/data/dataset.query.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { STAGED_EVENTS } from './event-staging.write.ts';

/** The reason why a row with an unknown symbol is rejected. */
export const UNKNOWN_SYMBOL =
  'unknown_symbol: is in no dataset of the workspace; correct it, import its prices, or give --register';

/** SQL: the symbols of the staged rows. A withdrawn version needs no known symbol. */
const stagedSymbols = sql`(select distinct symbol from ${sql.table(STAGED_EVENTS)}
  where symbol is not null and not withdrawn)`;

/** Returns SQL for a list of symbols, as a subquery with the column `symbol`. */
export function listOf(symbols: readonly string[]): RawBuilder<unknown> {
  return sql`(select distinct symbol from unnest(${[...symbols]}::text[]) symbol)`;
}

/**
 * Returns SQL for the symbols of staged rows, or of another list, that are neither in a dataset of the workspace nor in
 * a recorded event, as a subquery with the column `symbol`.
 */
export function unknownSymbols(
  em: Em,
  { workspace, environment }: Tenant,
  among: RawBuilder<unknown> = stagedSymbols,
): RawBuilder<unknown> {
  return sql`(
    select s.symbol from ${among} s
    where ${isInNoDataset(em)} and not exists (
      select from portfolio_event e
      where e.workspace_uid = ${workspace} and e.environment = ${environment} and e.symbol = s.symbol
    )
  )`;
}

/** Returns the symbols of a list that are neither in a dataset of the workspace nor in a recorded event. */
export async function unknownAmong(em: Em, place: Tenant, symbols: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ symbol: string }>`
    select u.symbol from ${unknownSymbols(em, place, listOf(symbols))} u
  `.execute(em.getKysely());
  return new Set(rows.map(({ symbol }) => symbol));
}

/**
 * Returns at most `limit` symbols of staged rows, or of another list, that are in no dataset of the workspace, ordered by
 * symbol.
 */
export async function unregisteredSymbols(
  em: Em,
  limit: number,
  among: RawBuilder<unknown> = stagedSymbols,
): Promise<string[]> {
  const { rows } = await sql<{ symbol: string }>`
    select s.symbol from ${among} s where ${isInNoDataset(em)} order by s.symbol limit ${limit}
  `.execute(em.getKysely());
  return rows.map(({ symbol }) => symbol);
}

/** SQL condition: no dataset to which the workspace is entitled has the symbol of `s`. */
function isInNoDataset(em: Em): RawBuilder<boolean> {
  const has = (table: 'instrument' | 'price' | 'corporate_action') =>
    sql`exists (select from ${sql.table(table)} o where o.dataset_id = d.id and o.symbol = s.symbol)`;
  return sql<boolean>`not exists (
    select from dataset d
    where d.kind in ('instruments', 'prices', 'corporate_actions') and ${isEntitled(em)}
      and case d.kind when 'instruments' then ${has('instrument')} when 'prices' then ${has('price')}
        else ${has('corporate_action')} end
  )`;
}
