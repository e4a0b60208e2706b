import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { ImportRefused } from './import-refused.ts';
import { STAGING } from './staging.ts';

const PAGE_ROWS = 5_000;

/**
 * Assigns a public id to each new instrument. An instrument with a previous symbol is not new: it keeps the id that it
 * had under that symbol.
 */
export async function registerInstruments(em: Em, datasetId: number): Promise<void> {
  const changes = await statedChanges(em);
  const later = new Set(changes.map(({ symbol }) => symbol));
  for (;;) {
    const symbols = await unknownSymbols(em, datasetId, [...later]);
    if (symbols.length === 0) break;
    await insertInstruments(em, datasetId, symbols);
  }
  const first = changes.map(({ previous }) => previous).filter((symbol) => !later.has(symbol));
  await insertInstruments(em, datasetId, [...new Set(first)]);
  await registerChanges(em, datasetId, changes);
}

type Change = { symbol: string; previous: string };

async function statedChanges(em: Em): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select distinct subject as symbol, previous_symbol as previous from ${sql.table(STAGING)}
    where previous_symbol is not null order by symbol, previous
  `.execute(em.getKysely());
  return rows;
}

async function unknownSymbols(em: Em, datasetId: number, later: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ symbol: string }>`
    select distinct subject as symbol from ${sql.table(STAGING)} staged
    where subject <> all (${later}::text[]) and not exists (
      select from instrument known where known.dataset_id = ${datasetId} and known.symbol = staged.subject
    )
    order by symbol limit ${PAGE_ROWS}
  `.execute(em.getKysely());
  return rows.map(({ symbol }) => symbol);
}

/** Inserts instruments of a dataset, each with a new uid. A known symbol keeps its instrument. */
export async function insertInstruments(
  em: Em,
  datasetId: number,
  symbols: readonly string[],
): Promise<void> {
  const uids = symbols.map(() => newUid(prefixes.instrument));
  await sql`
    insert into instrument (dataset_id, symbol, uid)
    select ${datasetId}, symbol, uid from unnest(${symbols}::text[], ${uids}::text[]) n (symbol, uid)
    on conflict (dataset_id, symbol) do nothing
  `.execute(em.getKysely());
}

/** Registers symbol changes, from the oldest symbol of each chain to the newest. */
async function registerChanges(em: Em, datasetId: number, changes: readonly Change[]): Promise<void> {
  let open = changes;
  while (open.length > 0) {
    const waiting = new Set(open.map(({ symbol }) => symbol));
    const next = open.filter(({ previous }) => !waiting.has(previous));
    if (next.length === 0) throw refused(open, 'the previous symbols form a cycle');
    for (const change of next) await registerChange(em, datasetId, change);
    open = open.filter((change) => !next.includes(change));
  }
}

async function registerChange(em: Em, datasetId: number, change: Change): Promise<void> {
  const { symbol, previous } = change;
  await sql`
    insert into instrument (dataset_id, symbol, uid, follows)
    select dataset_id, ${symbol}, uid, symbol from instrument
    where dataset_id = ${datasetId} and symbol = ${previous}
    on conflict (dataset_id, symbol) do nothing
  `.execute(em.getKysely());
  const { rows } = await sql<{ agrees: boolean }>`
    select exists (
      select from instrument where dataset_id = ${datasetId} and symbol = ${symbol} and follows = ${previous}
    ) as agrees
  `.execute(em.getKysely());
  if (!rows[0]!.agrees)
    throw refused(
      [change],
      'the symbol already belongs to another instrument, or already replaces another symbol',
    );
}

function refused(changes: readonly Change[], reason: string): ImportRefused {
  const named = changes.map(({ symbol, previous }) => `${symbol} after ${previous}`).join(', ');
  return new ImportRefused('import_refused', `${named}: ${reason}; nothing was loaded`);
}
