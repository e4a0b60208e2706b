import { basename } from 'node:path';
import { Option, type Command } from 'commander';
import { importDataset } from '#lib/data/import/load/import-dataset.command.ts';
import {
  frequencies,
  type Frequency,
  type ImportReport,
  type ImportRequest,
} from '#lib/data/import/load/import-request.ts';
import { columnsOf, type ColumnedKind } from '#lib/data/import/readers/columns-of.ts';
import { mappingOf } from '#lib/data/import/readers/mapping-file.ts';
import { describeColumns } from '#lib/data/import/readers/describe-columns.ts';
import { registerHeaders } from './import-headers.ts';
import { printingRefusal } from '../shell/import-refusal.ts';
import { asOperator } from '../shell/operator.ts';
import { unprovenPersonIfAny } from '#lib/access/prove-person.command.ts';
import { governBy } from '../shell/govern.ts';
import { withJson } from '../shell/options.ts';
import { registerDataset } from './import-dataset.ts';
import { registerPortfolioImports } from '../investment/import-portfolios.ts';
import { registerTransactions } from '../ledger/import-transactions.ts';
import { print, notice, type OutputOptions } from '../shell/output.ts';
import { progressBar } from '../shell/progress-bar.ts';

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
  const group = program.command('import');
  const ofKind = (kind: ColumnedKind, description: string, name: string = kind) =>
    withJson(group.command(`${name} <file>`))
      .description(description)
      .requiredOption('--workspace <uid>', 'the workspace that owns the dataset')
      .option('--dataset <name>', 'the dataset of the workspace, created on first use', kind)
      .option('--as <person>', 'the person who imports (default: the owner of the workspace, if it has one)')
      .option(
        '--skip-bad',
        'load the valid rows and write the others to a file; default: reject the whole file',
      )
      .option(
        '--rejects <file>',
        'the file for skipped rows; default: <file>.rejects.csv in the current directory',
      )
      .option(
        '--mapping <file>',
        'a JSON file that maps the columns, and gives values that the imported file lacks',
      )
      .addHelpText('after', `\n${describeColumns(columnsOf[kind])}`)
      .action((file: string, options: ImportOptions) => run(kind, file, options));
  const knownAt = () =>
    new Option(
      '--known-at <when>',
      'when rows without known_at became known; default: the end of the day that they describe',
    ).choices(['now']);
  ofKind(
    'prices',
    'import prices; columns: symbol, date, close; optional: open, high, low, adj_close, volume, known_at',
  )
    .addOption(knownAt())
    .addOption(
      new Option(
        '--frequency <frequency>',
        'the frequency of the prices (default: detected from the file)',
      ).choices(frequencies),
    )
    .option('--symbol <symbol>', 'the symbol, for a file that is about one symbol and has no symbol column');
  ofKind(
    'instruments',
    'import instruments; columns: symbol, name; optional: sector, sub_industry, exchange, currency, status, previous_symbol, first_price_date or published_at',
  ).addOption(knownAt());
  const ofObservations = (kind: ColumnedKind, name: string, columns: string) =>
    ofKind(kind, columns, name).addOption(knownAt());
  ofObservations(
    'corporate_actions',
    'corporate-actions',
    'import dividends and splits; columns: symbol, ex_date, type, and amount or ratio; optional: basis, known_at',
  );
  ofKind(
    'fundamentals',
    'import reported fundamentals; columns: symbol, as_of, and either one column per metric, or metric and value; optional: period_end',
  );
  ofKind(
    'economics',
    'import economic series; columns: series, date, value and known_at, or one column per series or vintage, as in FRED files',
  )
    .addOption(knownAt())
    .option(
      '--series <file>',
      'a file that describes the series; columns: series, title, frequency, unit, source, licence',
    )
    .option('--key <series>', 'the series, for a file that is about one series and has no series column');
  ofKind(
    'taxonomy',
    'import a theme taxonomy; columns: version, published_at, theme, symbol, exposure',
  ).option(
    '--versions <file>',
    'a file that describes the versions; columns: version, published_at, status; optional, and verified: themes, symbols, rows, sha256_of_theme_symbol_exposure_lines',
  );
  ofKind(
    'metrics',
    'import metrics; columns: company_id, metric, period, value; optional: currency, known_at, withdrawn',
  ).addOption(knownAt());
  registerTransactions(group);
  registerPortfolioImports(group);
  registerDataset(group);
  registerHeaders(group);
}

async function run(kind: ColumnedKind, path: string, options: ImportOptions): Promise<void> {
  const bar = progressBar(options);
  await printingRefusal(
    options,
    async () => {
      const request = {
        ...requestOf(kind, path, options),
        mapping: await mappingOf(columnsOf[kind], options),
      };
      const { result } = await asOperator((operator) =>
        governBy(
          operator,
          importDataset,
          { ...request, onProgress: bar?.show },
          unprovenPersonIfAny(options.as),
        ),
      );
      bar?.stop();
      show(result.report, options);
    },
    bar,
  );
}

function requestOf(kind: ColumnedKind, path: string, options: ImportOptions): ImportRequest {
  const { workspace, dataset, frequency, knownAt, skipBad, rejects, versions, series } = options;
  const rejectsPath = skipBad && (rejects ?? `${basename(path)}.rejects.csv`);
  return {
    kind,
    path,
    workspace,
    dataset,
    frequency,
    knownAt,
    skipBad,
    rejectsPath,
    versionsPath: versions,
    seriesPath: series,
  };
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
  if (!alreadyImported) notice(`${rows.read} rows in ${seconds} s, ${perSecond} rows/s`);
}
