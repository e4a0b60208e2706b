import { basename } from 'node:path';
import { Option, type Command } from 'commander';
import {
  frequencies,
  importFile,
  type Frequency,
  type ImportReport,
  type ImportRequest,
} from '#lib/data/import/import-file.ts';
import { columnsOf, type ColumnedKind } from '#lib/data/import/columns-of.ts';
import { readMapping } from '#lib/data/import/mapping-file.ts';
import { PLAIN, withConstants, type Mapping } from '#lib/data/import/mapping.ts';
import { describeColumns } from '#lib/data/import/describe-columns.ts';
import { ImportRefused } from '#lib/data/import/import-refused.ts';
import type { Em } from '#lib/database/base.ts';
import { Person } from '#lib/workspace/person.entity.ts';
import { registerHeaders } from './import-headers.ts';
import { printRefusal } from './import-refusal.ts';
import { asOperator } from './operator.ts';
import { activePerson, findWorkspace, withJson } from './options.ts';
import { registerDataset } from './import-dataset.ts';
import { registerTransactions } from './import-transactions.ts';
import { print, tell, type OutputOptions } from './output.ts';
import { progressBar } from './progress-bar.ts';
import { recordImport } from './record-import.ts';

type ImportOptions = OutputOptions & {
  workspace: string;
  dataset?: string;
  as?: string;
  knownAt?: 'now';
  skipBad?: true;
  rejects?: string;
  frequency?: Frequency;
  versions?: string;
  series?: string;
  mapping?: string;
  symbol?: string;
  key?: string;
};

export function register(program: Command): void {
  const group = program
    .command('import')
    .description('load data files (CSV, plain or gzip, or Parquet) into datasets');
  const ofKind = (kind: ColumnedKind, description: string, name: string = kind) =>
    withJson(group.command(`${name} <file>`))
      .description(description)
      .requiredOption('--workspace <uid>', 'the workspace that owns the dataset')
      .option('--dataset <name>', 'dataset of the workspace, made on first use', kind)
      .option('--as <person>', 'who imports; default: the owner of the workspace, where it has one')
      .option(
        '--skip-bad',
        'load what is valid and write the other rows to a file; default: refuse the whole file',
      )
      .option(
        '--rejects <file>',
        'where rows that are skipped are written; default: <file>.rejects.csv, here',
      )
      .option('--mapping <file>', 'JSON that says what the columns of the file are, and what it does not say')
      .addHelpText('after', `\n${describeColumns(columnsOf[kind])}`)
      .action((file: string, options: ImportOptions) => run(kind, file, options));
  const knownAt = () =>
    new Option(
      '--known-at <when>',
      'of rows that state none; default: the end of the day they are about',
    ).choices(['now']);
  ofKind(
    'prices',
    'symbol, date, close, and open, high, low, adj_close, volume, known_at where there are any',
  )
    .addOption(knownAt())
    .addOption(
      new Option('--frequency <frequency>', 'default: what the file looks like').choices(frequencies),
    )
    .option('--symbol <symbol>', 'of a file about one symbol, which has no such column');
  ofKind(
    'instruments',
    'symbol, name, and sector, sub_industry, exchange, currency, status, previous_symbol, first_price_date or published_at',
  ).addOption(knownAt());
  const ofObservations = (kind: ColumnedKind, name: string, columns: string) =>
    ofKind(kind, columns, name).addOption(knownAt());
  ofObservations(
    'corporate_actions',
    'corporate-actions',
    'symbol, ex_date, type, and amount or ratio, and basis, known_at where there are any',
  );
  ofKind(
    'fundamentals',
    'symbol, as_of, and a column for each metric, or metric and value; period_end where there is one',
  );
  ofKind(
    'economics',
    'series, date, value, and known_at; or a column for each series or vintage, as FRED writes',
  )
    .addOption(knownAt())
    .option('--series <file>', 'what the series are: series, title, frequency, unit, source, licence')
    .option('--key <series>', 'of a file about one series, which has no such column');
  ofKind('taxonomy', 'version, published_at, theme, symbol, exposure').option(
    '--versions <file>',
    'version, published_at, status, and counts and hash to be verified',
  );
  ofKind(
    'metrics',
    'company_id, metric, period, value, and currency, known_at, withdrawn where there are any',
  ).addOption(knownAt());
  registerTransactions(group);
  registerDataset(group);
  registerHeaders(group);
}

async function run(kind: ColumnedKind, path: string, options: ImportOptions): Promise<void> {
  const bar = progressBar(options);
  try {
    const report = await asOperator((operator) =>
      operator.inWorkspace(options.workspace, async (em) => {
        await findWorkspace(em, options.workspace);
        const importedBy = await importingPerson(em, options);
        const made = await importFile(em, {
          ...requestOf(kind, path, { ...options, importedBy, onProgress: bar?.show }),
          mapping: await mappingOf(kind, options),
        });
        await recordImport(em, options.workspace, made, importedBy);
        return made;
      }),
    );
    bar?.stop();
    show(report, options);
  } catch (error) {
    bar?.stop();
    if (!(error instanceof ImportRefused)) throw error;
    printRefusal(error, options);
    process.exitCode = 1;
  }
}

/** Market data need no authority, so a workspace without an owner can import; the record then names nobody. */
async function importingPerson(em: Em, { workspace, as }: ImportOptions): Promise<string | undefined> {
  if (as !== undefined) return (await activePerson(em, workspace, as)).uid;
  const owner = await em.findOne(
    Person,
    { workspaceUid: workspace, roles: { $contains: ['owner'] } },
    { filters: false, orderBy: { uid: 'asc' } },
  );
  return owner?.uid;
}

type Caller = ImportOptions & Pick<ImportRequest, 'importedBy' | 'onProgress'>;

function requestOf(kind: ColumnedKind, path: string, options: Caller): ImportRequest {
  return {
    kind,
    path,
    workspace: options.workspace,
    dataset: options.dataset,
    importedBy: options.importedBy,
    frequency: options.frequency,
    knownAt: options.knownAt,
    skipBad: options.skipBad,
    rejectsPath: options.skipBad && (options.rejects ?? `${basename(path)}.rejects.csv`),
    versionsPath: options.versions,
    seriesPath: options.series,
    onProgress: options.onProgress,
  };
}

/** Undefined where nothing is stated beside the file, which then says all itself. */
async function mappingOf(
  kind: ColumnedKind,
  { mapping, symbol, key }: ImportOptions,
): Promise<Mapping | undefined> {
  if (mapping === undefined && symbol === undefined && key === undefined) return undefined;
  const read = mapping === undefined ? PLAIN : await readMapping(mapping, columnsOf[kind]);
  return withConstants(read, { symbol, series: key });
}

function show(report: ImportReport, options: OutputOptions): void {
  const { importUid, dataset, kind, frequency, revision, rows, alreadyImported, rejectsPath } = report;
  const seconds = Math.round(report.seconds * 1000) / 1000;
  const perSecond = Math.round(rows.read / Math.max(report.seconds, 0.001));
  const common = { kind, ...(frequency && { frequency }), revision };
  const tail = { already_imported: alreadyImported, ...(rejectsPath && { rejects_file: rejectsPath }) };
  if (options.json) {
    print(
      { import: importUid, dataset, ...common, rows, seconds, rows_per_second: perSecond, ...tail },
      options,
    );
    return;
  }
  print(
    { import: importUid, dataset: `${dataset.name} (${dataset.uid})`, ...common, ...rows, ...tail },
    options,
  );
  if (!alreadyImported) tell(`${rows.read} rows in ${seconds} s, ${perSecond} rows/s`);
}
