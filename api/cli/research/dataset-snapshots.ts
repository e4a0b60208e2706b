import type { Command } from 'commander';
import { importSeries } from '#lib/research/import-series.command.ts';
import { seriesOf, withSnapshots, type SeriesOptions } from './choose-snapshots.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { printingRefusal } from '../shell/import-refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { inPlaceOf } from '../shell/place.ts';
import { governAs } from '../shell/govern.ts';

type FromOptions = OutputOptions & GovernedOptions & Tenant & SeriesOptions & { name: string };

/** Registers `assay dataset from-snapshots`, which builds a numeric dataset from sealed research snapshots. */
export function registerFromSnapshots(group: Command): void {
  const command = inPlaceOf(
    group.command('from-snapshots <project>'),
    'build a numeric dataset from the sealed snapshots of a project: a row for each date, a column for each feature of each entity',
  )
    .requiredOption('--name <name>', 'the name of the dataset; new content replaces the old')
    .option('--features <list>', 'keys of features, separated by commas (default: all of the project)')
    .option('--entities <list>', 'entities, separated by commas (default: all in the snapshots)');
  withPerson(withSnapshots(command)).action((project: string, options: FromOptions) =>
    printingRefusal(options, async () => {
      const { workspace, environment, name } = options;
      const input = { place: { workspace, environment }, name, series: seriesOf(project, options) };
      const { dataset, report } = (await governAs(importSeries, input, options)).result;
      print(
        {
          dataset_id: dataset.id,
          uid: dataset.uid,
          name,
          revision: report.revision,
          rows: report.rows.read,
          columns: dataset.columns.length,
          content_hash: dataset.contentHash,
          source: dataset.source,
          already_imported: report.alreadyImported,
        },
        options,
      );
    }),
  );
}
