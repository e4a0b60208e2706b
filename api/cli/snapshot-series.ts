import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { importFile, type ImportReport } from '#lib/data/import/import-file.ts';
import { joinCsvLine } from '#lib/data/import/csv-line.ts';
import { COLUMNS_MAX } from '#lib/data/numeric-columns.ts';
import type { SnapshotSource } from '#lib/data/numeric-content.ts';
import {
  describeSource,
  findNumericDataset,
  type NumericDataset,
} from '#lib/data/numeric-dataset.repository.ts';
import { currenciesOf } from '#lib/quant/entity-currency.repository.ts';
import { findVersions, type FoundVersion } from '#lib/quant/feature-version.repository.ts';
import type { ProjectInVersion } from '#lib/quant/research-project.repository.ts';
import { mixedCurrencies, seriesColumns, seriesRow, type DatedSection } from '#lib/quant/snapshot-series.ts';
import { checkedSnapshot } from '#lib/quant/snapshot-series.repository.ts';
import { chosenSnapshots, projectOf, type ChoiceOptions } from './choose-snapshots.ts';
import { words } from './options.ts';
import { recordImport } from './record-import.ts';
import { Refusal } from '#lib/core/refusal.ts';

export type SeriesOptions = ChoiceOptions & {
  features?: string | undefined;
  entities?: string | undefined;
};

/**
 * Puts a numeric dataset together from the sealed snapshots of a project: a row for each of their dates, a column for each
 * feature of each entity. Every seal is checked; the content names the snapshots, and its hash covers them.
 */
export async function importSeries(
  em: Em,
  { project: text, name, by, options }: { project: string; name: string; by: string; options: SeriesOptions },
): Promise<{ dataset: NumericDataset; report: ImportReport }> {
  const { workspace, environment } = tenantOf(em);
  const project = await projectOf(em, text, options);
  const features = await featuresOf(em, project, options.features);
  const { sections, snapshots } = await readSections(
    em,
    features,
    await chosenSnapshots(em, project, options),
  );
  const source: SnapshotSource = {
    environment,
    project_id: project.id,
    project_version: project.version,
    definition_sha256: project.definitionSha256,
    features: features.map(({ key, version }) => ({ key, version })),
    entities: entitiesOf(sections, options.entities),
    snapshots,
  };
  const columns = await statedColumns(em, source, features);
  const lines = [
    joinCsvLine(['date', ...columns.map((column) => column.name)]),
    ...sections.map((section) =>
      joinCsvLine([section.day, ...seriesRow(source, section).values.map((value) => String(value ?? ''))]),
    ),
  ];
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-'));
  try {
    const file = path.join(folder, `snapshots-of-project-${project.id}.csv`);
    await writeFile(file, `${lines.join('\n')}\n`);
    const given = { kind: 'numeric', path: file, workspace, dataset: name, columns, importedBy: by } as const;
    const report = await importFile(em, { ...given, snapshots: source });
    await recordImport(em, workspace, report, by);
    const held = (await findNumericDataset(em, report.dataset.id))!;
    if (held.revision > report.revision && report.alreadyImported)
      throw new Refusal(
        'content_superseded',
        `this was the content of ${name} at revision ${report.revision}, and another one took its place; use another name`,
      );
    await describeSource(em, held.id, sourceText(source));
    return { dataset: (await findNumericDataset(em, held.id))!, report };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function sourceText({ project_id, project_version, snapshots }: SnapshotSource): string {
  const [first, last] = [snapshots[0]!.as_of_date, snapshots.at(-1)!.as_of_date];
  return `${snapshots.length} sealed snapshots of project ${project_id}, version ${project_version}, ${first} to ${last}`;
}

/** The features that are named, or all of the project, by key. */
async function featuresOf(em: Em, { definition }: ProjectInVersion, text?: string): Promise<FoundVersion[]> {
  const all = await findVersions(em, definition.features);
  if (text === undefined) return all;
  const named = new Set(words(text));
  const unknown = [...named].find((key) => !all.some((each) => each.key === key));
  if (unknown !== undefined || named.size === 0)
    throw new Refusal('feature_unknown', `the project has no feature ${unknown ?? ''}`);
  return all.filter(({ key }) => named.has(key));
}

async function readSections(
  em: Em,
  features: readonly FoundVersion[],
  chosen: readonly { uid: string }[],
): Promise<{ sections: DatedSection[]; snapshots: SnapshotSource['snapshots'] }> {
  const keys = features.map(({ key }) => key);
  const sections: DatedSection[] = [];
  const snapshots: SnapshotSource['snapshots'] = [];
  for (const { uid } of chosen) {
    const checked = await checkedSnapshot(em, uid, keys);
    if (!checked.ok) throw new Refusal('snapshot_altered', checked.fault);
    const { result, section, sealHash } = checked;
    sections.push(section);
    snapshots.push({
      uid,
      as_of_date: result.as_of_date,
      content_hash: result.content_hash,
      seal_hash: sealHash,
    });
  }
  return { sections, snapshots };
}

/** The entities that are named, or all that any of the snapshots has, in code point order. */
function entitiesOf(sections: readonly DatedSection[], text?: string): string[] {
  const known = new Set(sections.flatMap(({ entities }) => entities));
  const wanted = text === undefined ? [...known] : [...new Set(words(text))];
  const unknown = wanted.find((entity) => !known.has(entity));
  if (unknown !== undefined || wanted.length === 0)
    throw new Refusal('entity_unknown', `none of the snapshots has ${unknown ?? 'an entity'}`);
  return wanted.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}

/** The columns in the units of their features. Refused where amounts of several currencies would stand side by side. */
async function statedColumns(em: Em, source: SnapshotSource, features: readonly FoundVersion[]) {
  const columns = seriesColumns(source);
  if (columns.length >= COLUMNS_MAX)
    throw new Refusal(
      'too_many_columns',
      `${columns.length} columns are more than ${COLUMNS_MAX - 1}: name --entities or --features`,
    );
  const byKey = new Map(features.map((feature) => [feature.key, feature]));
  const currencies = await currenciesOf(em, source.entities);
  const told = columns.map(({ name, feature, entity }) => {
    const { unit, entityType } = byKey.get(feature)!;
    return { name, unit, currency: entityType === 'instrument' ? (currencies.get(entity) ?? null) : null };
  });
  const mixed = mixedCurrencies(told);
  if (mixed.length > 0)
    throw new Refusal(
      'currencies_mixed',
      `the amounts are in ${mixed.join(', ')}: take entities of one currency`,
    );
  return told.map(({ name, unit }) => ({ name, type: 'number' as const, unit }));
}
