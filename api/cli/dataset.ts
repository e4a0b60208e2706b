import type { Command } from 'commander';
import { datasetSummaries, type DatasetSummary } from '#lib/data/import/dataset-summaries.ts';
import { registerRetention } from './dataset-retention.ts';
import { registerGovernance } from './dataset-governance.ts';
import { registerFromSnapshots } from './dataset-snapshots.ts';
import { asOperator } from './operator.ts';
import { findWorkspace, withJson } from './options.ts';
import { printRows, type OutputOptions } from './output.ts';

export function register(program: Command): void {
  const group = program.command('dataset').description('bodies of observations that workspaces read');
  registerRetention(group);
  registerGovernance(group);
  registerFromSnapshots(group);
  withJson(group.command('list'))
    .description('list the datasets that a workspace is entitled to')
    .requiredOption('--workspace <uid>')
    .action(async (options: OutputOptions & { workspace: string }) => {
      const summaries = await asOperator((operator) =>
        operator.inWorkspace(options.workspace, async (em) => {
          await findWorkspace(em, options.workspace);
          return datasetSummaries(em, options.workspace);
        }),
      );
      printRows(
        summaries.map((summary) => ({
          id: summary.id,
          uid: summary.uid,
          kind: summary.kind,
          name: summary.name,
          owner: summary.owner ?? 'platform',
          revision: summary.revision,
          rows: summary.rows,
          first_observed: summary.firstObservedOn,
          last_observed: summary.lastObservedOn,
          newest_import: newestImportOf(summary, options),
        })),
        options,
      );
    });
}

function newestImportOf({ newestImport }: DatasetSummary, { json }: OutputOptions) {
  if (!newestImport) return null;
  const { uid, fileName, importedAt } = newestImport;
  return json ? { uid, file: fileName, imported_at: importedAt } : `${fileName}, ${importedAt}`;
}
