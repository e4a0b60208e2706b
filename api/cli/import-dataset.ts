import type { Command } from 'commander';
import { importFile, type ImportReport } from '#lib/data/import/import-file.ts';
import { ImportRefused } from '#lib/data/import/import-refused.ts';
import { findNumericDataset } from '#lib/data/numeric-dataset.repository.ts';
import { NumericColumns } from '#lib/data/numeric-columns.ts';
import { readBody } from './governed-kind.ts';
import { printRefusal } from './import-refusal.ts';
import { checked } from './shell/document.ts';
import { asOperator } from './operator.ts';
import { actingPerson, findWorkspace, withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { progressBar } from './progress-bar.ts';
import { recordImport } from './record-import.ts';
import { Refusal } from '#lib/core/refusal.ts';

type DatasetOptions = OutputOptions & { workspace: string; name: string; columns?: string; as?: string };

export function registerDataset(group: Command): void {
  withJson(group.command('dataset <file>'))
    .description('a table of numbers with a header; date, and entity or symbol, say what a row is about')
    .requiredOption('--workspace <uid>', 'the workspace that owns the dataset')
    .requiredOption('--name <name>', 'of the dataset; new content takes the place of the old one')
    .option('--columns <file>', 'JSON: [{"name": ..., "type": ..., "unit": ...}, ...]')
    .option('--as <person>', 'who imports (default: the owner of the workspace)')
    .action(async (path: string, options: DatasetOptions) => {
      const { workspace, name } = options;
      const columns =
        options.columns === undefined ? undefined : checked(NumericColumns, await readBody(options.columns));
      const bar = progressBar(options);
      try {
        const { report, contentHash } = await asOperator((operator) =>
          operator.inWorkspace(workspace, async (em) => {
            await findWorkspace(em, workspace);
            const { uid: importedBy } = await actingPerson(em, workspace, options.as);
            const given = { kind: 'numeric', path, workspace, dataset: name, columns, importedBy } as const;
            const made = await importFile(em, { ...given, onProgress: bar?.show });
            const held = (await findNumericDataset(em, made.dataset.id))!;
            if (made.alreadyImported && held.revision > made.revision) throw superseded(made);
            await recordImport(em, workspace, made, importedBy);
            return { report: made, contentHash: held.contentHash };
          }),
        );
        bar?.stop();
        const { dataset, revision, rows, alreadyImported } = report;
        print(
          {
            dataset_id: dataset.id,
            uid: dataset.uid,
            name,
            revision,
            rows: rows.read,
            content_hash: contentHash,
            already_imported: alreadyImported,
          },
          options,
        );
      } catch (error) {
        bar?.stop();
        if (!(error instanceof ImportRefused)) throw error;
        printRefusal(error, options);
        process.exitCode = 1;
      }
    });
}

function superseded({ revision, dataset }: ImportReport): Refusal {
  return new Refusal(
    'content_superseded',
    `this was the content of ${dataset.name} at revision ${revision}, and another one took its place; use another name`,
  );
}
