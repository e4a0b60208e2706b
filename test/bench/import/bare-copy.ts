import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const COLUMNS = [
  'dataset_id, symbol, frequency, observed_on, known_at, known_at_basis, revision',
  'open, high, low, close, adj_close, volume',
].join(', ');

/**
 * Creates a table with the columns of the product's table, without its checks, and with its primary key if
 * requested.
 */
export async function createBareTable(client: Client, table: string, hasKey: boolean): Promise<void> {
  await client.query(`
    create table ${table} (
      dataset_id integer not null, symbol text not null collate "C", frequency text not null,
      observed_on date not null, known_at timestamptz not null, known_at_basis text not null,
      revision integer not null, open numeric, high numeric, low numeric, close numeric not null,
      adj_close numeric, volume numeric
      ${hasKey ? ', primary key (dataset_id, symbol, frequency, observed_on, known_at, revision)' : ''}
    )`);
}

/** Copies a file of COPY text into the emptied table and returns the seconds that it took. */
export async function copySeconds(client: Client, table: string, file: string): Promise<number> {
  await client.query(`truncate ${table}`);
  const started = performance.now();
  const copy = client.query(copyFrom(`copy ${table} (${COLUMNS}) from stdin`));
  await pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), copy);
  return (performance.now() - started) / 1_000;
}
