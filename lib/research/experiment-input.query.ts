import { utcDate } from '#lib/core/clock.ts';
import { isUid } from '#lib/core/id.ts';
import { invalid, Problem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { newestVersion } from './feature-version.query.ts';
import { targetWindowLeak } from './leakage.ts';
import type { ResearchTarget } from './project-definition.ts';
import { findProject } from './research-project.query.ts';
import { CELLS_MAX, type ExperimentInput, type ExperimentRequestBody } from './research-runs.schema.ts';
import { findSnapshots, type SealedSnapshot } from './sealed-snapshot.query.ts';

/**
 * Returns the input of the run: the request completed with all defaults. Throws a problem if the parts of the request
 * are not compatible.
 */
export async function experimentInput(
  em: Em,
  body: ExperimentRequestBody,
  now: Date,
): Promise<ExperimentInput> {
  const today = utcDate(now);
  const { snapshots: uids, known_by = today, quantiles = 5, minimum_entities = 10 } = body;
  if (known_by > today) {
    const message = `must not be after today, ${today}`;
    throw invalid([{ pointer: '/known_by', in: 'body', code: 'in_future', message }]);
  }
  const snapshots = await findSnapshots(
    em,
    uids.filter((uid) => isUid(uid)),
  );
  const missing = uids.find((uid) => !snapshots.some((found) => found.uid === uid));
  if (missing) throw new Problem('not_found', `There is no sealed research snapshot ${missing}.`);
  requireAlike(snapshots);
  const { project } = snapshots.at(-1)!.result;
  const target = await targetOf(em, body, project);
  const leak = targetWindowLeak(target);
  if (leak) {
    const { detail, ...members } = leak;
    throw new Problem('leakage', `Leakage: ${detail}.`, { members });
  }
  return {
    project_id: project.id,
    snapshots: snapshots.map(({ uid, result }) => ({
      uid,
      as_of_date: result.as_of_date,
      content_hash: result.content_hash,
    })),
    target,
    known_by,
    quantiles,
    minimum_entities,
    newey_west_lags: body.newey_west_lags ?? null,
  };
}

/**
 * Requires that snapshots can be combined: one project, the same columns, distinct dates, and together no more cells
 * than an experiment may have.
 */
function requireAlike(snapshots: readonly SealedSnapshot[]): void {
  const [first] = snapshots;
  const columnsOf = ({ result }: SealedSnapshot) =>
    result.columns.map(({ feature, version }) => `${feature} ${version}`).join('\n');
  const other = snapshots.find(
    (each) => each.result.project.id !== first!.result.project.id || columnsOf(each) !== columnsOf(first!),
  );
  if (other) {
    const detail = `${other.uid} belongs to another project or has other columns than ${first!.uid}.`;
    throw new Problem('snapshots_differ', detail);
  }
  const repeated = snapshots.find(
    ({ result }, at) => at > 0 && snapshots[at - 1]!.result.as_of_date === result.as_of_date,
  );
  if (repeated) {
    throw new Problem(
      'snapshots_differ',
      `Two of the snapshots have the as-of date ${repeated.result.as_of_date}. Send one snapshot per date.`,
    );
  }
  const cells = snapshots.reduce((total, { result }) => total + result.entities * result.features, 0);
  if (cells > CELLS_MAX) {
    const detail = `The snapshots have ${cells} cells. The maximum is ${CELLS_MAX}.`;
    throw new Problem('experiment_too_large', detail, { members: { observed: cells, needed: CELLS_MAX } });
  }
}

/** Returns the requested target, or the target of the definition that the newest snapshot used. */
async function targetOf(
  em: Em,
  { target: requested }: ExperimentRequestBody,
  { id, version }: { id: number; version: number },
): Promise<ResearchTarget> {
  const target = requested ?? (await findProject(em, { id, version }))?.definition.target;
  if (!target) {
    const message = 'is required, because the project has no target of its own';
    throw invalid([{ pointer: '/target', in: 'body', code: 'required', message }]);
  }
  const found = await newestVersion(em, { key: target.feature, version: target.version });
  if (!found)
    throw new Problem('unknown_feature', `The feature ${target.feature} does not exist in this version.`);
  return {
    feature: target.feature,
    version: found,
    horizons_months: target.horizons_months.toSorted((one, other) => one - other),
    span_months: target.span_months ?? 1,
  };
}
