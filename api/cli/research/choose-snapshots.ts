import type { Command } from 'commander';
import { isDate } from '#lib/core/date.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { SeriesRequest } from '#lib/research/series-source.query.ts';
import { words } from '../shell/options.ts';
import { wholeNumber } from '../shell/whole-number.ts';

export type SeriesOptions = {
  projectVersion?: string;
  from?: string;
  to?: string;
  snapshots?: string;
  features?: string | undefined;
  entities?: string | undefined;
};

const POSTGRES_INTEGER_MAX = 2 ** 31 - 1;

/** Adds the options that choose sealed snapshots of a project. */
export function withSnapshots(command: Command): Command {
  return command
    .option(
      '--project-version <n>',
      'the version of the project whose snapshots are read (default: the newest)',
    )
    .option('--from <day>', 'the first date to read')
    .option('--to <day>', 'the last date to read')
    .option(
      '--snapshots <list>',
      'the snapshots to use, separated by commas, one per date (default: the newest sealed snapshot of each date)',
    );
}

/** Returns the request for those sealed snapshots of a project that the options choose. */
export function seriesOf(project: string, options: SeriesOptions): SeriesRequest {
  const { projectVersion, from, to, snapshots, features, entities } = options;
  for (const day of [from, to])
    if (day !== undefined && !isDate(day))
      throw new Refusal('date_invalid', '--from and --to take a day such as 2020-06-30');
  if (snapshots !== undefined && (from !== undefined || to !== undefined))
    throw new Refusal('contradiction', 'give either --snapshots or --from and --to');
  const id = (name: string, text: string) => wholeNumber(name, text, [1, POSTGRES_INTEGER_MAX]);
  const listed = (text: string | undefined) => (text === undefined ? undefined : words(text));
  return {
    project: id('the project', project),
    projectVersion: projectVersion === undefined ? undefined : id('--project-version', projectVersion),
    from,
    to,
    snapshots: listed(snapshots),
    features: listed(features),
    entities: listed(entities),
  };
}
