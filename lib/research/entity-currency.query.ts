import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';

/**
 * Returns the last known currency of each instrument, by symbol. Instruments without a known currency are
 * left out.
 */
export async function currenciesOf(em: Em, symbols: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ symbol: string; currency: string }>`
    select distinct on (v.symbol) v.symbol, v.currency from instrument_version v
    join dataset_entitlement e on e.dataset_id = v.dataset_id and e.workspace_uid = ${tenantOf(em).workspace}
    where v.symbol = any(${[...symbols]}::text[]) and v.currency is not null
    order by v.symbol, v.observed_on desc, v.known_at desc
  `.execute(em.getKysely());
  return new Map(rows.map(({ symbol, currency }) => [symbol, currency]));
}
