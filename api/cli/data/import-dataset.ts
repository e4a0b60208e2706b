import type { Command } from 'commander';
import {
  importDataset,
  supersededContent,
  type Imported,
} from '#lib/data/import/load/import-dataset.command.ts';
import { NumericColumns } from '#lib/data/numeric-columns.ts';
import { readBody } from '../shell/governed-kind.ts';
import { printingRefusal } from '../shell/import-refusal.ts';
import { checked } from '../shell/document.ts';
import { governNamed } from '../shell/govern.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { progressBar } from '../shell/progress-bar.ts';

type DatasetOptions = OutputOptions & { workspace: string; name: string; columns?: string; as?: string };

export function registerDataset(group: Command): void {
  withJson(group.command('dataset <file>'))
    .description(
      'import a numeric table with a header; the columns date and entity (or symbol) identify a row',
    )
    .requiredOption('--workspace <uid>', 'the workspace that owns the dataset')
    .requiredOption('--name <name>', 'the name of the dataset; new content replaces the old')
    .option(
      '--columns <file>',
      'a JSON file that describes the columns: [{"name": ..., "type": ..., "unit": ...}, ...]',
    )
    .option('--as <person>', 'the person who imports (default: the owner of the workspace)')
    .action(async (path: string, options: DatasetOptions) => {
      const { workspace, name } = options;
      const columns =
        options.columns === undefined ? undefined : checked(NumericColumns, await readBody(options.columns));
      const bar = progressBar(options);
      await printingRefusal(
        options,
        async () => {
          const given = { kind: 'numeric', path, workspace, dataset: name, columns } as const;
          const input = { ...given, onProgress: bar?.show };
          const { result } = await governNamed(importDataset, input, options);
          bar?.stop();
          if (result.isSuperseded) throw supersededContent(result.report);
          show(result, options);
        },
        bar,
      );
    });
}

function show({ report, contentHash }: Imported, options: OutputOptions): void {
  const { dataset, revision, rows, alreadyImported } = report;
  print(
    {
      dataset_id: dataset.id,
      uid: dataset.uid,
      name: dataset.name,
      revision,
      rows: rows.read,
      content_hash: contentHash,
      already_imported: alreadyImported,
    },
    options,
  );
}
