import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RawBuilder } from 'kysely';
import type { Clock } from '#lib/core/clock.ts';
import { findEconomicSeries } from '#lib/data/economic-series.query.ts';
import { economicObservations, type Vintage } from '#lib/data/economic-observations.query.ts';
import { readPriceText } from '#lib/data/price-text.ts';
import { monthlyPriceTextsAsOf } from '#lib/data/price.query.ts';
import { importFile } from '#lib/data/import/load/import-file.ts';
import type { ImportReport, ImportRequest } from '#lib/data/import/load/import-request.ts';
import type { Em } from '#lib/database/base.ts';
import { inPlatform, inTenant, openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { createWorkspace } from '#lib/access/provision.ts';
import { freshDatabase } from './backends.ts';
import { commandEnv, runCommand, type Printed } from './cli.ts';

/** A separate database for the tests of imports, and a folder for their files. */
export type ImportDatabase = {
  ownerUrl: string;
  folder: string;
  /** Creates a workspace. */
  workspace(): Promise<string>;
  /** Writes a file of the given lines to the folder, compressed with gzip if the file name ends in `.gz`. */
  write(name: string, lines: readonly string[] | Uint8Array): Promise<string>;
  import(request: ImportRequest): Promise<ImportReport>;
  /** Runs a transaction with the operator's role. */
  operate<T>(work: (em: Em) => Promise<T>): Promise<T>;
  /** Returns the column `text` of an SQL query, run with the operator's role. */
  texts(query: RawBuilder<{ text: string }>): Promise<string[]>;
  /** Returns the monthly prices of a symbol as the readers of a workspace see them: `date price`. */
  pricesAsOf(workspace: string, question: AsOf): Promise<string[]>;
  /** Returns an economic series as the readers of a workspace see it, vintage by vintage: `date value`. */
  observationsAsOf(
    workspace: string,
    question: { series: string; asOf: string; vintage: Vintage },
  ): Promise<string[]>;
  /** Runs `assay` in the folder. */
  assay(...words: string[]): Promise<Printed>;
  close(): Promise<void>;
};

export type AsOf = { symbol: string; asOfDate: string; revisions: Record<string, number> };

/** Returns a clock that always shows the given instant. */
export function clockAt(instant: string): Clock {
  return { now: () => new Date(instant) };
}

/** Gives a suite one database for all its tests, and each test a new workspace. */
export function useImportDatabase(): { database: ImportDatabase; workspace(): string } {
  let made: ImportDatabase;
  let workspace: string;
  before(async () => {
    made = await importDatabase();
  });
  beforeEach(async () => {
    workspace = await made.workspace();
  });
  after(() => made.close());
  const database = new Proxy({} as ImportDatabase, { get: (_, name) => Reflect.get(made, name) });
  return { database, workspace: () => workspace };
}

async function importDatabase(): Promise<ImportDatabase> {
  const ownerUrl = await freshDatabase(`assay_test_import_${process.env['TEST_PART']}`);
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-import-'));
  const operator = openOrm(roleUrl(ownerUrl, 'operator'), 4);
  const api = openOrm(roleUrl(ownerUrl, 'api'), 2);
  let count = 0;
  return {
    ownerUrl,
    folder,
    workspace: () =>
      inPlatform(operator, async (em) => {
        count += 1;
        return createWorkspace(em, { name: `Workspace ${count}`, now: new Date() }).uid;
      }),
    async write(name, lines) {
      const file = path.join(folder, name);
      const content = lines instanceof Uint8Array ? lines : Buffer.from(`${lines.join('\n')}\n`);
      await writeFile(file, name.endsWith('.gz') ? gzipSync(content) : content);
      return file;
    },
    import: (request) => inPlatform(operator, (em) => importFile(em, request)),
    operate: (work) => inPlatform(operator, work),
    texts: (query) =>
      inPlatform(operator, async (em) => (await query.execute(em.getKysely())).rows.map((row) => row.text)),
    pricesAsOf: (workspace, { symbol, asOfDate, revisions }) =>
      inTenant(api, { workspace, environment: 'sandbox' }, async (em) => {
        const question = { symbols: [symbol], from: '1900-01-01', asOfDate, datasetRevisions: revisions };
        const [found] = await monthlyPriceTextsAsOf(em, question);
        return found ? readPriceText(found).observations.map(({ date, price }) => `${date} ${price}`) : [];
      }),
    observationsAsOf: (workspace, { series, asOf, vintage }) =>
      inTenant(api, { workspace, environment: 'sandbox' }, async (em) => {
        const found = await findEconomicSeries(em, series, asOf);
        if (!found) return [];
        const rows = await economicObservations(em, found, { asOf, vintage, after: undefined, limit: 100 });
        return rows.map(({ observedOn, value }) => `${observedOn} ${value}`);
      }),
    assay: (...words) => runCommand(words, commandEnv({ ownerUrl }), folder),
    async close() {
      await Promise.all([operator.close(), api.close()]);
      await rm(folder, { recursive: true });
    },
  };
}
