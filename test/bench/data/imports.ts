import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Backend } from '../../support/backends.ts';
import type { BenchContext, Row } from '../bench.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { kindsOf } from './kinds.ts';

const ROUNDS = { full: 3, tiny: 1 };
const ROWS = { full: 200_000, tiny: 160 };
/** The number of prices. It is larger than the number of rows of any other kind, as in real data. */
const PRICES = { full: 500_000, tiny: 100 };

/**
 * Measures rows per second of each import, against COPY of the same rows into a table with the same columns
 * and key.
 */
export async function importRows(
  context: BenchContext,
  bench: string,
  backend: Backend,
  superuser: Client,
): Promise<Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-bench-'));
  const rows: Row[] = [];
  try {
    for (const kind of await kindsOf(backend)) {
      const name = kind.table;
      const given = { csv: path.join(folder, `${name}.csv`), copy: path.join(folder, `${name}.copy`) };
      const files = await kind.write(given, (name === 'price' ? PRICES : ROWS)[context.size]);
      const bare = `bare_${kind.table}`;
      await superuser.query(`create table ${bare} (like ${kind.table} including defaults including indexes)`);
      context.notify(`${ROUNDS[context.size]} rounds of ${files.rows} rows of ${kind.name}`);
      const figures = await interleave(ROUNDS[context.size], {
        subject: async () => {
          await empty(superuser, kind.table);
          return files.rows / (await kind.importOnce(files.csv));
        },
        peer: async () => {
          await superuser.query(`truncate ${bare}`);
          const started = performance.now();
          const copy = superuser.query(copyFrom(`copy ${bare} (${kind.columns}) from stdin`));
          await pipeline(createReadStream(files.copy, { highWaterMark: 256 * 1024 }), copy);
          return files.rows / ((performance.now() - started) / 1_000);
        },
      });
      await empty(superuser, kind.table);
      await superuser.query(`drop table ${bare}`);
      await Promise.all([rm(files.csv), rm(files.copy)]);
      const note = `${files.rows} rows of CSV read, checked, staged, merged, analysed; the peer copies ready text`;
      const about = {
        bench,
        case: `import of ${kind.name}, ${files.rows.toLocaleString('en')} rows`,
        unit: 'rows/s',
        note,
      };
      rows.push(ratioRow(about, figures, { min: 0.5 }));
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Empties a table, bypassing the triggers that keep some tables append-only. */
async function empty(superuser: Client, table: string): Promise<void> {
  await superuser.query(
    `set session_replication_role = replica; truncate ${table} cascade; set session_replication_role = origin`,
  );
}
