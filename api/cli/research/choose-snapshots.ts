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

/** Which sealed snapshots of a project are read. */
export function withSnapshots(command: Command): Command {
  return command
    .option('--project-version <n>', 'whose snapshots are read (default: the newest)')
    .option('--from <day>', 'the first date that is read')
    .option('--to <day>', 'the last date that is read')
    .option('--snapshots <list>', 'these by comma, one a date (default: the newest sealed one of each date)');
}

/** What the options name of the sealed snapshots of a project. */
export function seriesOf(project: string, options: SeriesOptions): SeriesRequest {
  const { projectVersion, from, to, snapshots, features, entities } = options;
  for (const day of [from, to])
    if (day !== undefined && !isDate(day))
      throw new Refusal('date_invalid', '--from and --to take a day such as 2020-06-30');
  if (snapshots !== undefined && (from !== undefined || to !== undefined))
    throw new Refusal('contradiction', 'either --snapshots or --from and --to');
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
