import { basename } from 'node:path';
import { Option, type Command } from 'commander';
import type { SkippedRows } from '#lib/data/import/load/skipped-rows.ts';
import type { ColumnRules } from '#lib/data/import/readers/columns.ts';
import { describeColumns } from '#lib/data/import/readers/describe-columns.ts';
import { readMapping } from '#lib/data/import/readers/mapping-file.ts';
import { NO_MAPPING, withConstants, type Mapping } from '#lib/data/import/readers/mapping.ts';
import type { Tenant } from '#lib/database/base.ts';
import { eventColumns } from '#lib/investment/portfolios/event-columns.ts';
import { importEvents } from '#lib/investment/portfolios/import-events.command.ts';
import { importPortfolios } from '#lib/investment/portfolios/import-portfolios.command.ts';
import { importTotals } from '#lib/investment/portfolios/import-totals.command.ts';
import { portfolioColumns } from '#lib/investment/portfolios/portfolio-row.ts';
import type { SettledOrderCounts } from '#lib/investment/portfolios/settled-order.write.ts';
import { cashColumns, positionColumns } from '#lib/investment/portfolios/total-row.ts';
import { governAs } from '../shell/govern.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { printingRefusal } from '../shell/import-refusal.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { withPlace } from '../shell/place.ts';
import { progressBar } from '../shell/progress-bar.ts';

type FileOptions = OutputOptions &
  GovernedOptions &
  Tenant & {
    mapping?: string;
    portfolio?: string;
    asOf?: string;
    knownAt?: 'now';
    register?: true;
    skipBad?: true;
    rejects?: string;
    recordBreaks?: true;
  };

const REGISTER = 'accept symbols that no dataset of the workspace has, and register them as instruments';

/** Adds the commands that import portfolios, and the events, positions and cash of portfolios. */
export function registerPortfolioImports(group: Command): void {
  const ofFile = (name: string, description: string, rules: ColumnRules) =>
    withPerson(withPlace(withJson(group.command(`${name} <file>`))))
      .description(description)
      .option(
        '--mapping <file>',
        'a JSON file that maps the columns, and gives values that the imported file lacks',
      )
      .addHelpText('after', `\n${describeColumns(rules)}`);
  const ofOne = (command: Command) =>
    command.option('--portfolio <key>', 'the portfolio, for a file about one portfolio');
  const skipping = (command: Command, skipped: string) =>
    command
      .option('--skip-bad', `${skipped}; default: reject the whole file`)
      .option(
        '--rejects <file>',
        'the file for skipped rows; default: <file>.rejects.csv in the current directory',
      );
  const ofDay = (command: Command) =>
    ofOne(command)
      .option('--as-of <date>', 'the day of the statement, for a file without a column as_of')
      .option(
        '--record-breaks',
        'if a total differs from the events, record the difference as a break; default: reject the file',
      );

  ofFile(
    'portfolios',
    'import portfolios and their terms; columns: portfolio, name, base_currency, opened_on',
    portfolioColumns,
  ).action((path: string, options: FileOptions) =>
    importing(options, async () => {
      const mapping = await mappingOf(options, portfolioColumns);
      return (await governAs(importPortfolios, { ...placeOf(options), path, mapping }, options)).result;
    }),
  );
  skipping(
    ofOne(
      ofFile(
        'portfolio-events',
        'import events of portfolios: purchases, sales, income, transfers and cash',
        eventColumns,
      ),
    ),
    'load the valid events and write the other rows to a file',
  )
    .option('--register', REGISTER)
    .addOption(
      new Option(
        '--known-at <when>',
        'when events without known_at became known; default: the end of their trade date',
      ).choices(['now']),
    )
    .action((path: string, options: FileOptions) =>
      importing(options, async (onProgress) => {
        const mapping = await mappingOf(options, eventColumns);
        const known = { isKnownNow: options.knownAt === 'now', isRegistering: options.register ?? false };
        const input = { path, mapping, onProgress, ...known, ...skippedOf(path, options) };
        return (await governAs(importEvents, { ...placeOf(options), ...input }, options)).result;
      }),
    );
  for (const [kind, rules] of [
    ['positions', positionColumns],
    ['cash', cashColumns],
  ] as const) {
    const what = kind === 'positions' ? 'positions' : 'cash balances';
    const description = `import the ${what} of a statement, and compare them with the events of the portfolio`;
    const command = skipping(
      ofDay(ofFile(`portfolio-${kind}`, description, rules)),
      'load only the statements that have no error, and write the rows of the other statements to a file',
    );
    if (kind === 'positions') command.option('--register', REGISTER);
    command.action((path: string, options: FileOptions) =>
      importing(options, async () => {
        const mapping = await mappingOf(options, rules);
        const accepted = {
          recordsBreaks: options.recordBreaks ?? false,
          isRegistering: options.register ?? false,
        };
        const input = { path, mapping, kind, ...accepted, ...skippedOf(path, options) };
        return (await governAs(importTotals, { ...placeOf(options), ...input }, options)).result;
      }),
    );
  }
}

type Imported = {
  uid: string;
  contentHash: string;
  rows: Record<string, number>;
  breaks?: number;
  registered?: number;
  rejectsPath?: string | undefined;
  settledOrders?: SettledOrderCounts;
};
type OnProgress = NonNullable<ReturnType<typeof progressBar>>['show'] | undefined;

async function importing(
  options: FileOptions,
  work: (onProgress: OnProgress) => Promise<Imported>,
): Promise<void> {
  const bar = progressBar(options);
  await printingRefusal(
    options,
    async () => {
      const imported = await work(bar?.show);
      const { uid, rows, breaks, registered, settledOrders, rejectsPath, contentHash } = imported;
      bar?.stop();
      const counts = options.json ? { rows } : rows;
      print(
        {
          import: uid,
          ...counts,
          ...(breaks !== undefined && { breaks }),
          ...(registered !== undefined && { registered_symbols: registered }),
          ...(settledOrders && {
            settled_orders: settledOrders.booked,
            unbooked_orders: settledOrders.unbooked,
          }),
          content_hash: contentHash,
          ...(rejectsPath !== undefined && { rejects_file: rejectsPath }),
        },
        options,
      );
    },
    bar,
  );
}

function skippedOf(path: string, { skipBad, rejects }: FileOptions): SkippedRows {
  return skipBad ? { skipBad, rejectsPath: rejects ?? `${basename(path)}.rejects.csv` } : {};
}

async function mappingOf(
  { mapping, portfolio, asOf }: FileOptions,
  rules: ColumnRules,
): Promise<Mapping | undefined> {
  if (mapping === undefined && portfolio === undefined && asOf === undefined) return undefined;
  const read = mapping === undefined ? NO_MAPPING : await readMapping(mapping, rules);
  return withConstants(read, { portfolio, as_of: asOf });
}

function placeOf({ workspace, environment }: Tenant): Tenant {
  return { workspace, environment };
}
