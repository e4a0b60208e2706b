import { Option, type Command } from 'commander';
import { columnedKinds, columnsOf, type ColumnedKind } from '#lib/data/import/readers/columns-of.ts';
import { readMapping } from '#lib/data/import/readers/mapping-file.ts';
import { NO_MAPPING } from '#lib/data/import/readers/mapping.ts';
import { recogniseFile, type Recognised } from '#lib/data/import/readers/recognise-file.ts';
import { printingRefusal } from '../shell/import-refusal.ts';
import { withJson } from '../shell/options.ts';
import { print, printRows, notice, type OutputOptions } from '../shell/output.ts';
import { Refusal } from '#lib/core/refusal.ts';

type HeaderOptions = OutputOptions & { kind?: ColumnedKind; mapping?: string };

/**
 * Registers `assay import headers`, which shows how an import would read the columns of a file, without importing the
 * file.
 */
export function registerHeaders(group: Command): void {
  withJson(group.command('headers <file>'))
    .description('show how the columns of a file would be read; imports nothing')
    .addOption(
      new Option('--kind <kind>', 'read the columns as this kind of data (default: as every kind)').choices(
        columnedKinds,
      ),
    )
    .option('--mapping <file>', 'a JSON file that maps the columns, as in an import; requires --kind')
    .action(run);
}

async function run(file: string, options: HeaderOptions): Promise<void> {
  const { kind, mapping, json } = options;
  if (mapping !== undefined && kind === undefined)
    throw new Refusal('kind_missing', 'a mapping belongs to one kind of file; give --kind');
  await printingRefusal(options, async () => {
    const read = mapping === undefined ? NO_MAPPING : await readMapping(mapping, columnsOf[kind!]);
    const all = await recogniseFile(file, read);
    const requested = all.filter((each) => kind === undefined || each.kind === kind);
    if (requested.every(({ refusals }) => refusals.length > 0)) process.exitCode = 1;
    if (json) print({ data: requested }, options);
    else requested.forEach(show);
  });
}

function show({ kind, columns, refusals }: Recognised): void {
  if (refusals.length) return notice(`not ${kind}: ${refusals.join('; ')}`);
  notice(`${kind}:`);
  printRows(columns, {}, ({ name, meaning }) => ({ column: name, meaning }));
}
