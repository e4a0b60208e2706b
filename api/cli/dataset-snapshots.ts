import type { Command } from 'commander';
import { ImportRefused } from '#lib/data/import/import-refused.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { printRefusal } from './import-refusal.ts';
import { inPlaceAs, type Place } from './on-batch.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { importSeries, type SeriesOptions } from './snapshot-series.ts';

type FromOptions = OutputOptions & GovernedOptions & Place & SeriesOptions & { name: string };

/** `assay dataset from-snapshots`: a numeric dataset out of what research sealed. */
export function registerFromSnapshots(group: Command): void {
  withPerson(withJson(group.command('from-snapshots <project>')))
    .description(
      'put a numeric dataset together from the sealed snapshots of a project: a row for each date, a column for each feature of each entity',
    )
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .requiredOption('--name <name>', 'of the dataset; new content takes the place of the old one')
    .option('--features <list>', 'keys of features by comma (default: all of the project)')
    .option('--entities <list>', 'entities by comma (default: all that the snapshots have)')
    .option('--project-version <n>', 'whose snapshots are read (default: the newest)')
    .option('--from <day>', 'the first date that is read')
    .option('--to <day>', 'the last date that is read')
    .option('--snapshots <list>', 'these by comma, one a date (default: the newest sealed one of each date)')
    .action(async (project: string, options: FromOptions) => {
      const { workspace, environment, name } = options;
      try {
        const { dataset, report } = await inPlaceAs({ workspace, environment }, options, (em, { uid: by }) =>
          importSeries(em, { project, name, by, options }),
        );
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
      } catch (error) {
        if (!(error instanceof ImportRefused)) throw error;
        printRefusal(error, options);
        process.exitCode = 1;
      }
    });
}
