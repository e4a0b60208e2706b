import { featureMatrixAsOf } from '#lib/data/feature-join.repository.ts';
import type { FeatureCell } from '#lib/data/feature-join.repository.ts';
import type { Em } from '#lib/database/orm.ts';
import {
  datasetPins,
  findVersions,
  pinnedRevision,
  type FoundVersion,
} from '#lib/quant/feature-version.repository.ts';
import { findProject } from '#lib/quant/research-project.repository.ts';
import type { ProjectDefinition } from '#lib/quant/project-definition.ts';
import type { researchSnapshotsJob } from '#lib/quant/research-snapshots.job.ts';
import type { SnapshotData } from '#lib/quant/research-snapshot.ts';
import { targetsKnownBefore } from '#lib/quant/target.repository.ts';
import { observedEntities, sectorMembers } from '#lib/quant/universe.repository.ts';
import type { Loader } from '../runner.ts';

/** Reads the definition of the project, its universe, and the cells that were known by the end of the day. */
export const loadResearchSnapshots: Loader<typeof researchSnapshotsJob, SnapshotData> = async (em, run) => {
  const { project_id: id, project_version: version, as_of_date: asOf } = run.input;
  const project = await findProject(em, { id, version });
  if (!project) throw new Error(`the project ${id} has no version ${version}`);
  const { definition, definitionSha256 } = project;
  const pins = run.datasetRevisions;
  const versions = await pinnedVersions(em, definition.features, pins);
  const entities = await universe(em, definition, { versions, asOf, pins });
  const revisions = Object.fromEntries(versions.map((each) => [each.id, each.revision]));
  const versionIds = versions.map((each) => each.id);
  const cells = await featureMatrixAsOf(em, { versionIds, entities, asOf, revisions });
  const byVersion = Map.groupBy(cells, ({ versionId }) => versionId);
  const [target] = definition.target
    ? await pinnedVersions(em, [{ key: definition.target.feature, version: definition.target.version }], pins)
    : [];
  return {
    project: { id, version, definition_sha256: definitionSha256 },
    definition,
    entities,
    columns: versions.map((each) => columnOf(each, byVersion.get(each.id) ?? [])),
    knownTargets: target
      ? await targetsKnownBefore(em, { ...target, feature: target.key, entities }, asOf)
      : [],
  };
};

async function pinnedVersions(
  em: Em,
  named: readonly { key: string; version: number }[],
  pins: Readonly<Record<string, number>>,
): Promise<(FoundVersion & { revision: number })[]> {
  const found = await findVersions(em, named);
  if (found.length !== named.length) throw new Error('a feature of the definition is not there');
  return found.map((each) => ({ ...each, revision: pinnedRevision(pins, each.id) }));
}

function universe(
  em: Em,
  { universe: rule }: ProjectDefinition,
  given: {
    versions: readonly { id: number; revision: number }[];
    asOf: string;
    pins: Readonly<Record<string, number>>;
  },
): Promise<string[]> {
  const { versions, asOf, pins } = given;
  switch (rule.kind) {
    case 'list':
      return Promise.resolve(rule.entities.toSorted(byCodePoint));
    case 'observed':
      return observedEntities(em, versions, asOf);
    case 'sector':
      return sectorMembers(em, { sector: rule.sector, asOf, datasetRevisions: datasetPins(pins) });
  }
}

function columnOf({ key, version, unit }: FoundVersion, cells: readonly FeatureCell[]) {
  return {
    feature: key,
    version,
    unit,
    values: cells.map(({ value }) => value),
    event_times: cells.map(({ eventTime }) => eventTime),
    known_at: cells.map(({ knownAt }) => knownAt),
    age_days: cells.map(({ ageDays }) => ageDays),
    reasons: cells.map(({ reason }) => reason),
  };
}

/** As PostgreSQL orders texts with the collation C: by the bytes of UTF-8. */
function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
