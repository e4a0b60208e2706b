import type { Em } from '#lib/database/base.ts';
import { COLUMNS_MAX } from '#lib/data/numeric-columns.ts';
import type { SnapshotSource } from '#lib/data/numeric-content.ts';
import { currenciesOf } from './entity-currency.query.ts';
import { findVersions, type FoundVersion } from './feature-version.query.ts';
import { findProject, type ProjectInVersion } from './research-project.query.ts';
import { namedSnapshots, sealedDays, type DatedSnapshot } from './sealed-days.query.ts';
import { chosenEntities, chosenFeatures, refuse, snapshotRefusal, type Chosen } from './series-choice.ts';
import { mixedCurrencies, seriesColumns, type DatedSection } from './snapshot-series.ts';
import { checkedSnapshot } from './snapshot-series.query.ts';

/** The request for a dataset from sealed snapshots: the snapshots, and the features and entities to use. */
export type SeriesRequest = {
  project: number;
  /** The version of the project's definition. Default: the newest version. */
  projectVersion?: number | undefined;
  /** The snapshots to use, one per day. Default: the newest sealed snapshot of each day. */
  snapshots?: readonly string[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Keys of the features to use; `entities` are the entities to use. Default: all features, and all entities. */
  features?: readonly string[] | undefined;
  entities?: readonly string[] | undefined;
};

export type SeriesSource = {
  source: SnapshotSource;
  sections: readonly DatedSection[];
  columns: { name: string; type: 'number'; unit: string }[];
};

/**
 * Returns the sections and columns of a series, or a refusal if its parts are not compatible. Every seal is
 * checked.
 */
export async function readSeriesSource(
  em: Em,
  environment: SnapshotSource['environment'],
  request: SeriesRequest,
): Promise<Chosen<SeriesSource>> {
  const { project: id, projectVersion: version } = request;
  const project = await findProject(em, version === undefined ? { id } : { id, version });
  const inVersion = version === undefined ? '' : ` in version ${version}`;
  if (!project) return refuse('project_unknown', `The workspace has no project ${id}${inVersion}.`);
  const all = await findVersions(em, project.definition.features);
  const features = chosenFeatures(all, request.features);
  if (!features.ok) return features;
  const chosen = await chosenSnapshots(em, project, request);
  if (!chosen.ok) return chosen;
  const read = await readSections(em, features.chosen, chosen.chosen);
  if (!read.ok) return read;
  const { sections, snapshots } = read.chosen;
  const entities = chosenEntities(sections, request.entities);
  if (!entities.ok) return entities;
  const source: SnapshotSource = {
    environment,
    project_id: project.id,
    project_version: project.version,
    definition_sha256: project.definitionSha256,
    features: features.chosen.map(({ key, version: of }) => ({ key, version: of })),
    entities: entities.chosen,
    snapshots,
  };
  const columns = await statedColumns(em, source, features.chosen);
  return columns.ok ? { ok: true, chosen: { source, sections, columns: columns.chosen } } : columns;
}

async function chosenSnapshots(
  em: Em,
  { id, version }: ProjectInVersion,
  { snapshots, from, to }: SeriesRequest,
): Promise<Chosen<DatedSnapshot[]>> {
  if (snapshots === undefined) {
    const days = await sealedDays(em, { id, version, from, to });
    return days.length > 0 ? { ok: true, chosen: days } : missing(version);
  }
  const uids = [...new Set(snapshots)];
  const found = await namedSnapshots(em, uids);
  const refusal = snapshotRefusal(found, uids, { id, version });
  if (refusal) return refusal;
  return found.length > 0 ? { ok: true, chosen: found } : missing(version);
}

function missing(version: number) {
  const detail = `Version ${version} of the project has no sealed snapshots for these days.`;
  return refuse('snapshots_missing', detail);
}

async function readSections(
  em: Em,
  features: readonly FoundVersion[],
  chosen: readonly { uid: string }[],
): Promise<Chosen<{ sections: DatedSection[]; snapshots: SnapshotSource['snapshots'] }>> {
  const keys = features.map(({ key }) => key);
  const sections: DatedSection[] = [];
  const snapshots: SnapshotSource['snapshots'] = [];
  for (const { uid } of chosen) {
    const checked = await checkedSnapshot(em, uid, keys);
    if (!checked.ok) return refuse('snapshot_altered', checked.fault);
    const { result, section, sealHash } = checked;
    const { as_of_date, content_hash } = result;
    sections.push(section);
    snapshots.push({ uid, as_of_date, content_hash, seal_hash: sealHash });
  }
  return { ok: true, chosen: { sections, snapshots } };
}

/** Returns the columns in the units of their features. Refuses amounts in different currencies. */
async function statedColumns(
  em: Em,
  source: SnapshotSource,
  features: readonly FoundVersion[],
): Promise<Chosen<SeriesSource['columns']>> {
  const columns = seriesColumns(source);
  if (columns.length >= COLUMNS_MAX) {
    const detail =
      `The series would have ${columns.length} columns. The maximum is ${COLUMNS_MAX - 1}. Choose fewer ` +
      'with --entities or --features.';
    return refuse('too_many_columns', detail);
  }
  const byKey = new Map(features.map((feature) => [feature.key, feature]));
  const currencies = await currenciesOf(em, source.entities);
  const stated = columns.map(({ name, feature, entity }) => {
    const { unit, entityType } = byKey.get(feature)!;
    return { name, unit, currency: entityType === 'instrument' ? (currencies.get(entity) ?? null) : null };
  });
  const mixed = mixedCurrencies(stated);
  if (mixed.length > 0) {
    const detail = `The amounts are in ${mixed.join(', ')}. Choose entities of one currency.`;
    return refuse('currencies_mixed', detail);
  }
  return { ok: true, chosen: stated.map(({ name, unit }) => ({ name, type: 'number', unit })) };
}
