import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { buildTenancy } from '../support/build.ts';
import { assay } from '../support/cli.ts';
import type { Bench, Row } from './bench.ts';
import { copySeconds, createBareTable } from './import/bare-copy.ts';
import { writePriceFiles } from './import/price-rows.ts';
import { interleave, ratioRow } from './rounds.ts';

const BENCH = 'import';
const ROUNDS = { full: 5, tiny: 1 };
const ROWS = { full: { symbols: 400, days: 2_500 }, tiny: { symbols: 4, days: 250 } };

/**
 * Measures rows per second of the command that imports prices, against PostgreSQL's own COPY of the rows that
 * it creates.
 */
export const bench: Bench = {
  summary: 'assay import prices, rows a second',
  targets:
    '>= 0.3 x a bare COPY of the same rows into a table with the same columns and primary key: the import checks ' +
    'every field, and row-level security asks for a second step, as PostgreSQL copies into no table that has it.',
  async run({ size, cluster, notify }) {
    const database = `assay_bench_${BENCH}`;
    const ownerUrl = await cluster.freshDatabase(database);
    const folder = await mkdtemp(path.join(tmpdir(), 'assay-bench-'));
    const operator = openOrm(roleUrl(ownerUrl, 'operator'), 2);
    const client = new Client({ connectionString: cluster.superuserUrl(database) });
    await client.connect();
    try {
      const files = await writePriceFiles(
        { csv: path.join(folder, 'prices.csv'), copy: path.join(folder, 'prices.copy') },
        ROWS[size],
      );
      await createBareTable(client, 'bare_price', true);
      await createBareTable(client, 'bare_price_without_key', false);
      notify(`${ROUNDS[size]} rounds of ${files.rows} rows`);
      const figures = await interleave(ROUNDS[size], {
        subject: async () => {
          await client.query('truncate price');
          const { workspace } = await buildTenancy({ orm: () => operator });
          return files.rows / (await importSeconds({ ownerUrl }, files.csv, workspace));
        },
        peer: async () => files.rows / (await copySeconds(client, 'bare_price', files.copy)),
        keyless: async () => files.rows / (await copySeconds(client, 'bare_price_without_key', files.copy)),
      });
      const about = { bench: BENCH, unit: 'rows/s' };
      const does = `${files.rows} rows of CSV, read, checked, staged, merged and analysed; the peer copies ready text`;
      return [
        ratioRow(
          { ...about, case: 'prices, peer with the primary key', note: does },
          { subject: figures.subject, peer: figures.peer },
          { min: 0.3 },
        ),
        ratioRow(
          { ...about, case: 'prices, peer without any index', note: 'as above; only shown' },
          { subject: figures.subject, peer: figures.keyless },
          null,
        ),
      ] satisfies Row[];
    } finally {
      await client.end();
      await operator.close();
      await rm(folder, { recursive: true });
    }
  },
};

/**
 * Returns the seconds that the command itself reports: from opening the file to the commit, without the start
 * of the process.
 */
async function importSeconds(at: { ownerUrl: string }, file: string, workspace: string): Promise<number> {
  const { status, json, stderr } = await assay(
    at,
    'import',
    'prices',
    file,
    '--workspace',
    workspace,
    '--json',
  );
  if (status !== 0) throw new Error(`the import failed: ${stderr}`);
  return json.seconds;
}
