import { featureMatrixAsOf } from '#lib/data/feature-join.query.ts';
import type { FeatureCell } from '#lib/data/feature-join.query.ts';
import { scanFeatures, type FeatureColumn } from '#lib/data/feature-scan.query.ts';
import type { Em } from '#lib/database/base.ts';
import {
  datasetPins,
  findVersions,
  pinnedRevision,
  type FoundVersion,
} from '#lib/research/feature-version.query.ts';
import { findProject } from '#lib/research/research-project.query.ts';
import type { ProjectDefinition } from '#lib/research/project-definition.ts';
import { researchSnapshotsRun } from '#lib/research/research-snapshots.run.ts';
import type { SnapshotData } from '#lib/research/research-snapshot.ts';
import { targetsKnownBefore } from '#lib/research/target.query.ts';
import { observedEntities, sectorMembers } from '#lib/research/universe.query.ts';
import { runner } from '../process/runner.ts';

export default runner(researchSnapshotsRun, {
  /** Reads the definition of the project, its universe, and the cells known by the end of the as-of day. */
  load: async (em, run): Promise<SnapshotData> => {
    const { project_id: id, project_version: version, as_of_date: asOf } = run.input;
    const project = await findProject(em, { id, version });
    if (!project) throw new Error(`the project ${id} has no version ${version}`);
    const { definition, definitionSha256 } = project;
    const pins = run.datasetRevisions;
    const versions = await pinnedVersions(em, definition.features, pins);
    const read = definition.universe.kind === 'observed' ? readObserved : readMembers;
    const { entities, columns } = await read(em, { definition, versions, asOf, pins });
    const [target] = definition.target
      ? await pinnedVersions(
          em,
          [{ key: definition.target.feature, version: definition.target.version }],
          pins,
        )
      : [];
    const targetsOf = (requested: readonly string[]) =>
      target
        ? targetsKnownBefore(em, { ...target, feature: target.key, entities: requested }, asOf)
        : Promise.resolve([]);
    let knownTargets = await targetsOf(entities);
    // The entities of an observed universe include entities that were first observed after the as-of date. The known
    // targets of these entities are ignored.
    if (knownTargets.length > 0 && definition.universe.kind === 'observed')
      knownTargets = await targetsOf(await observedEntities(em, versions, asOf));
    return {
      project: { id, version, definition_sha256: definitionSha256 },
      definition,
      entities,
      columns,
      knownTargets,
    };
  },
  compute: new URL('./research-snapshots.compute.ts', import.meta.url),
});

type Reading = {
  definition: ProjectDefinition;
  versions: readonly (FoundVersion & { revision: number })[];
  asOf: string;
  pins: Readonly<Record<string, number>>;
};

type Matrix = Pick<SnapshotData, 'entities' | 'columns'>;

/**
 * Reads all entities for which any of the features has ever had a value. Entities without a value are left
 * out of the snapshot.
 */
async function readObserved(em: Em, { versions, asOf }: Reading): Promise<Matrix> {
  const scanned = await scanFeatures(em, { versions, asOf });
  const entities = [...new Set([...scanned.values()].flatMap((column) => column.entities))].sort(byCodePoint);
  const columns = versions.map(({ id, key, version, unit }) => ({
    feature: key,
    version,
    unit,
    ...cellsOf(scanned.get(id), entities),
  }));
  return { entities, columns };
}

/** Returns the cells of a column for a list of entities, some of which may have no value in the column. */
function cellsOf(column: FeatureColumn | undefined, entities: readonly string[]) {
  const places = new Map(column?.entities.map((entity, at) => [entity, at]));
  const at = entities.map((entity) => places.get(entity));
  const alongEntities = <T>(all: readonly T[] | undefined, otherwise: T) =>
    at.map((place) => (place === undefined ? otherwise : all![place]!));
  return {
    values: alongEntities(column?.values, null),
    event_times: alongEntities(column?.eventTimes, null),
    known_at: alongEntities(column?.knownAt, null),
    age_days: alongEntities(column?.ageDays, null),
    reasons: alongEntities(column?.reasons, 'never_observed'),
  };
}

async function readMembers(em: Em, { definition, versions, asOf, pins }: Reading): Promise<Matrix> {
  const entities = await members(em, definition, { asOf, pins });
  const revisions = Object.fromEntries(versions.map((each) => [each.id, each.revision]));
  const versionIds = versions.map((each) => each.id);
  const cells = await featureMatrixAsOf(em, { versionIds, entities, asOf, revisions });
  const byVersion = Map.groupBy(cells, ({ versionId }) => versionId);
  return { entities, columns: versions.map((each) => columnOf(each, byVersion.get(each.id) ?? [])) };
}

async function pinnedVersions(
  em: Em,
  named: readonly { key: string; version: number }[],
  pins: Readonly<Record<string, number>>,
): Promise<(FoundVersion & { revision: number })[]> {
  const found = await findVersions(em, named);
  if (found.length !== named.length) throw new Error('a feature of the definition does not exist');
  return found.map((each) => ({ ...each, revision: pinnedRevision(pins, each.id) }));
}

async function members(
  em: Em,
  { universe: rule }: ProjectDefinition,
  { asOf, pins }: Pick<Reading, 'asOf' | 'pins'>,
): Promise<string[]> {
  if (rule.kind === 'list') return rule.entities.toSorted(byCodePoint);
  if (rule.kind === 'sector')
    return sectorMembers(em, { sector: rule.sector, asOf, datasetRevisions: datasetPins(pins) });
  throw new Error(`a universe of ${rule.kind} entities has no members of its own`);
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

/** Compares two texts as PostgreSQL orders them with the collation C: by their UTF-8 bytes. */
function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
