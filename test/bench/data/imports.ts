import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Backend } from '../../support/backends.ts';
import { buildTenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import type { BenchContext, Row } from '../bench.ts';
import { writePriceFiles } from '../import/price-rows.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { writeActions, writeFundamentals, type KindFiles } from './files.ts';

const ROUNDS = { full: 3, tiny: 1 };
const SIZES = {
  full: { symbols: 200, days: 2_500, fundamentals: 200_000, actions: 200_000 },
  tiny: { symbols: 2, days: 50, fundamentals: 160, actions: 80 },
};

type Kind = { command: string; table: string; columns: string; write(folder: string): Promise<KindFiles> };

const knowledge = 'observed_on, known_at, known_at_basis, revision';

function kindsOf({ size }: BenchContext): Kind[] {
  const { symbols, days, fundamentals, actions } = SIZES[size];
  const files = (folder: string, name: string) => ({
    csv: path.join(folder, `${name}.csv`),
    copy: path.join(folder, `${name}.copy`),
  });
  return [
    {
      command: 'prices',
      table: 'price',
      columns: `dataset_id, symbol, frequency, ${knowledge}, open, high, low, close, adj_close, volume`,
      write: (folder) => writePriceFiles(files(folder, 'prices'), { symbols, days }),
    },
    {
      command: 'fundamentals',
      table: 'fundamental',
      columns: `dataset_id, symbol, metric, ${knowledge}, withdrawn, value`,
      write: (folder) => writeFundamentals(files(folder, 'fundamentals'), fundamentals),
    },
    {
      command: 'corporate-actions',
      table: 'corporate_action',
      columns: `dataset_id, symbol, type, ${knowledge}, withdrawn, amount, ratio, basis`,
      write: (folder) => writeActions(files(folder, 'actions'), actions),
    },
  ];
}

/** Rows a second of each import, against COPY of the rows that it makes into a table with the same columns and key. */
export async function importRows(
  context: BenchContext,
  bench: string,
  backend: Backend,
  superuser: Client,
): Promise<Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-bench-'));
  const rows: Row[] = [];
  try {
    for (const kind of kindsOf(context)) {
      const files = await kind.write(folder);
      const bare = `bare_${kind.table}`;
      await superuser.query(`create table ${bare} (like ${kind.table} including defaults including indexes)`);
      context.tell(`${ROUNDS[context.size]} rounds of ${files.rows} ${kind.command}`);
      const figures = await interleave(ROUNDS[context.size], {
        subject: async () => {
          await superuser.query(`truncate ${kind.table}`);
          const { workspace } = await buildTenancy(backend);
          const words = ['import', kind.command, files.csv, '--workspace', workspace, '--json'];
          const { status, json, stderr } = await assay(backend, ...words);
          if (status !== 0) throw new Error(`the import failed: ${stderr}`);
          return files.rows / json.seconds;
        },
        peer: async () => {
          await superuser.query(`truncate ${bare}`);
          const started = performance.now();
          const copy = superuser.query(copyFrom(`copy ${bare} (${kind.columns}) from stdin`));
          await pipeline(createReadStream(files.copy, { highWaterMark: 256 * 1024 }), copy);
          return files.rows / ((performance.now() - started) / 1_000);
        },
      });
      await superuser.query(`truncate ${kind.table}; drop table ${bare}`);
      const note = `${files.rows} rows of CSV read, checked, staged, merged, analysed; the peer copies ready text`;
      const about = { bench, case: `import of ${kind.command}`, unit: 'rows/s', note };
      rows.push(ratioRow(about, figures, { least: 0.5 }));
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}
