import type { Static } from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { lastDayOfMonth, monthOf } from '#lib/core/date.ts';
import { invalid, Problem } from '#lib/core/problem.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import type { Em } from '#lib/database/base.ts';
import { findVersions, pinVersions } from './feature-version.query.ts';
import type { ProjectDefinition } from './project-definition.ts';
import { findProject } from './research-project.query.ts';
import type { SnapshotRequestBody } from './research-snapshots.schema.ts';

/**
 * Resolves the newest version of the project and the data that the snapshot may read. Throws a problem if the
 * snapshot cannot be built.
 */
export async function snapshotInput(
  em: Em,
  { project_id, as_of_date: asOf }: Static<typeof SnapshotRequestBody>,
  now: Date,
) {
  const today = utcDate(now);
  if (asOf > today) throw refusedDate('in_future', `must not be after today, ${today}`);
  const project = await findProject(em, { id: project_id });
  if (!project) throw new Problem('not_found', 'There is no such research project.');
  if (project.definition.calendar === 'month_end' && lastDayOfMonth(monthOf(asOf)) !== asOf) {
    throw refusedDate(
      'calendar',
      'must be the last day of a month, because the project uses the calendar month_end',
    );
  }
  const input = { project_id: project.id, project_version: project.version, as_of_date: asOf };
  return { input, datasetRevisions: await pins(em, project.definition) };
}

/**
 * Returns the revisions of the datasets and features that the snapshot may read. These revisions are fixed at the
 * submission.
 */
async function pins(em: Em, { features, target }: ProjectDefinition): Promise<Record<string, number>> {
  const named = target ? [...features, { key: target.feature, version: target.version }] : features;
  const ids = (await findVersions(em, named)).map(({ id }) => id);
  return { ...(await currentRevisions(em)), ...(await pinVersions(em, [...new Set(ids)])) };
}

function refusedDate(code: string, message: string): Problem {
  return invalid([{ pointer: '/as_of_date', in: 'body', code, message }]);
}
