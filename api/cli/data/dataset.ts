import type { Command } from 'commander';
import { datasetSummaries, type DatasetSummary } from '#lib/data/import/load/dataset-summaries.ts';
import { registerRetention } from './dataset-retention.ts';
import { registerGovernance } from './dataset-governance.ts';
import { registerFromSnapshots } from '../research/dataset-snapshots.ts';
import { printRows, type OutputOptions } from '../shell/output.ts';
import { askIn } from '../shell/ask.ts';
import { inWorkspaceOf } from '../shell/place.ts';

type ListOptions = OutputOptions & { workspace: string };

export function register(program: Command): void {
  const group = program.command('dataset');
  registerRetention(group);
  registerGovernance(group);
  registerFromSnapshots(group);
  inWorkspaceOf(group.command('list'), 'list the datasets that a workspace may read').action(
    async (options: ListOptions) => {
      const summaries = await askIn(options, datasetSummaries, options.workspace);
      printRows(summaries, options, (summary) => row(summary, options));
    },
  );
}

function row(summary: DatasetSummary, options: OutputOptions) {
  return {
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
  };
}

function newestImportOf({ newestImport }: DatasetSummary, { json }: OutputOptions) {
  if (!newestImport) return null;
  const { uid, fileName, importedAt } = newestImport;
  return json ? { uid, file: fileName, imported_at: importedAt } : `${fileName}, ${importedAt}`;
}
