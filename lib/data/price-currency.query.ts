import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { knownRows, wasImported } from './as-of.query.ts';
import { isEntitled } from './dataset.query.ts';

export type PriceCurrencyQuestion = {
  symbols: readonly string[];
  asOf: string;
  /** The revisions of the datasets that may be read. Without revisions, every revision may be read. */
  revisions?: Readonly<Record<string, number>> | undefined;
};

/**
 * Returns the currency in which the prices of symbols are quoted, by symbol: the currency of the instrument, as known by
 * the end of a day. An instrument whose currency became known only later has the first known one, because the currency
 * of a quotation is not an estimate. A dataset of the workspace takes precedence over a dataset of the platform, then
 * the oldest dataset takes precedence. A symbol whose currency is unknown is absent.
 */
export async function priceCurrencies(
  em: Em,
  { symbols, asOf, revisions }: PriceCurrencyQuestion,
): Promise<Map<string, string>> {
  const currencyOf = (day: string | undefined, order: 'newest' | 'oldest') => sql`(
    select v.currency from instrument m cross join lateral ${versions(day, revisions)} v
    where m.dataset_id = d.id and m.uid = named.uid and v.currency is not null
    order by v.observed_on ${order === 'newest' ? sql`desc` : sql`asc`} limit 1)`;
  const { rows } = await sql<{ symbol: string; currency: string }>`
    select s.symbol, found.currency from unnest(${[...symbols]}::text[]) s (symbol)
    cross join lateral (
      select quoted.currency from dataset d
      join instrument named on named.dataset_id = d.id and named.symbol = s.symbol
      cross join lateral (
        select coalesce(${currencyOf(asOf, 'newest')}, ${currencyOf(undefined, 'oldest')}) as currency
      ) quoted
      where d.kind = 'instruments' and ${isEntitled(em)} and quoted.currency is not null
      order by d.workspace_uid is null, d.id limit 1
    ) found
  `.execute(em.getKysely());
  return new Map(rows.map(({ symbol, currency }) => [symbol, currency]));
}

/** Returns a subquery for the known rows of the instrument `m` under one of its symbols. */
function versions(asOf: string | undefined, revisions: PriceCurrencyQuestion['revisions']) {
  return knownRows({
    table: 'instrument_version',
    key: ['observed_on'],
    columns: ['currency'],
    where: sql`o.dataset_id = m.dataset_id and o.symbol = m.symbol and ${wasImported('o', revisions)}`,
    asOf,
  });
}
