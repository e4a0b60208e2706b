import { isDate } from '#lib/core/date.ts';
import type { Em } from '#lib/database/base.ts';
import { findProject, type ProjectInVersion } from '#lib/quant/research-project.repository.ts';
import { namedSnapshots, sealedDays, type DatedSnapshot } from '#lib/quant/sealed-days.repository.ts';
import { words } from './options.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { wholeNumber } from './whole-number.ts';

export type ChoiceOptions = { projectVersion?: string; from?: string; to?: string; snapshots?: string };

const POSTGRES_INTEGER_MAX = 2 ** 31 - 1;

/** A project of the workspace in the version that was named, or the newest. */
export async function projectOf(
  em: Em,
  text: string,
  { projectVersion }: ChoiceOptions,
): Promise<ProjectInVersion> {
  const id = wholeNumber('the project', text, [1, POSTGRES_INTEGER_MAX]);
  const version =
    projectVersion === undefined
      ? {}
      : { version: wholeNumber('--project-version', projectVersion, [1, POSTGRES_INTEGER_MAX]) };
  const project = await findProject(em, { id, ...version });
  const inVersion = projectVersion === undefined ? '' : ` in version ${projectVersion}`;
  if (!project)
    throw new Refusal('project_unknown', `the workspace has no such project: ${text}${inVersion}`);
  return project;
}

/** The snapshots that are named, one a day, or the newest sealed one of each day of the project. */
export async function chosenSnapshots(
  em: Em,
  { id, version }: ProjectInVersion,
  { snapshots, from, to }: ChoiceOptions,
): Promise<DatedSnapshot[]> {
  for (const day of [from, to])
    if (day !== undefined && !isDate(day))
      throw new Refusal('date_invalid', '--from and --to take a day such as 2020-06-30');
  if (snapshots !== undefined && (from !== undefined || to !== undefined))
    throw new Refusal('contradiction', 'either --snapshots or --from and --to');
  const chosen =
    snapshots === undefined
      ? await sealedDays(em, { id, version, from, to })
      : await named(em, [...new Set(words(snapshots))], { id, version });
  if (chosen.length === 0)
    throw new Refusal(
      'snapshots_missing',
      `version ${version} of the project has no sealed snapshot of those days`,
    );
  return chosen;
}

async function named(
  em: Em,
  uids: readonly string[],
  { id, version }: { id: number; version: number },
): Promise<DatedSnapshot[]> {
  const found = await namedSnapshots(em, uids);
  const unknown = uids.find((uid) => !found.some((each) => each.uid === uid));
  if (unknown) throw new Refusal('snapshot_unknown', `there is no research snapshot ${unknown}`);
  const open = found.find(({ sealed }) => !sealed);
  if (open) throw new Refusal('snapshot_unsealed', `${open.uid} is not sealed`);
  const other = found.find(
    ({ project_id, project_version }) => project_id !== id || project_version !== version,
  );
  if (other)
    throw new Refusal(
      'snapshots_differ',
      `${other.uid} is of version ${other.project_version} of the project ${other.project_id}`,
    );
  const twice = found.find(({ as_of_date }, at) => found[at - 1]?.as_of_date === as_of_date);
  if (twice) throw new Refusal('snapshots_differ', `two of the snapshots are as of ${twice.as_of_date}`);
  return found;
}
