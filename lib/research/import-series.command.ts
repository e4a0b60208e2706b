import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Refusal } from '#lib/core/refusal.ts';
import { joinCsvLine } from '#lib/data/import/readers/csv-line.ts';
import {
  importAt,
  importedEntry,
  supersededContent,
  type Imported,
} from '#lib/data/import/load/import-dataset.command.ts';
import { awaitDataset } from '#lib/data/import/load/lock-dataset.ts';
import type { SnapshotSource } from '#lib/data/numeric-content.ts';
import { describeSource, findNumericDataset } from '#lib/data/numeric-dataset.write.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, type Circumstances } from '#lib/governance/command.ts';
import { governWithin } from '#lib/governance/govern.ts';
import { unknownWorkspace } from '#lib/access/known-place.query.ts';
import { placeOfWorkspace } from '#lib/access/workspace.query.ts';
import type { Chosen } from './series-choice.ts';
import { readSeriesSource, type SeriesRequest, type SeriesSource } from './series-source.query.ts';
import { seriesRow } from './snapshot-series.ts';

type Input = { place: Tenant; name: string; series: SeriesRequest };

/**
 * Builds a numeric dataset from the sealed snapshots of a project. The dataset has one row per date, and one column per
 * feature and entity. Every seal is checked. The content names the snapshots, and the hash of the content covers these
 * names.
 */
export const importSeries = defineCommand<Input>()({
  find: async (em, { place }) => (await placeOfWorkspace(em, place.workspace)) && place,
  unknown: 'workspace_unknown',
  lock: (em, { name }, { workspace }) => awaitDataset(em, { workspace, kind: 'numeric', name }),
  facts: (em, _locked, { series }, { place }) => readSeriesSource(em, place.environment, series),
  decide: (facts): Chosen<SeriesSource> => facts,
  async write(em, _facts, { chosen }, at) {
    const { workspace } = at.place;
    const { report, isSuperseded } = await importSections(em, at.input.name, chosen, at);
    if (isSuperseded) throw supersededContent(report);
    await describeSource(em, report.dataset.id, sourceText(chosen.source));
    const dataset = (await findNumericDataset(em, report.dataset.id))!;
    return { result: { dataset, report }, recordedIn: { workspace } };
  },
  entry: (_facts, _verdict, _input, result) => result && importedEntry(result.report),
  refusals: unknownWorkspace,
});

/**
 * Returns a function that imports the series within another change and returns the id of the dataset. If the other
 * change is refused, the dataset is rolled back.
 */
export function importedSeries(input: Input) {
  return async (em: Em, { actor, place, now }: Circumstances): Promise<number> => {
    const done = await governWithin(em, importSeries, input, { actor, place, clock: { now: () => now } });
    if (!done.ok) throw new Refusal(done.code, done.detail);
    return done.result.dataset.id;
  };
}

/** Writes the sections to a temporary file first, because an import can only read a file. */
async function importSections(
  em: Em,
  name: string,
  { source, sections, columns }: SeriesSource,
  at: Circumstances,
): Promise<Imported> {
  const lines = [
    joinCsvLine(['date', ...columns.map((column) => column.name)]),
    ...sections.map((section) =>
      joinCsvLine([section.day, ...seriesRow(source, section).values.map((value) => String(value ?? ''))]),
    ),
  ];
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-'));
  try {
    const file = path.join(folder, `snapshots-of-project-${source.project_id}.csv`);
    await writeFile(file, `${lines.join('\n')}\n`);
    const { workspace } = at.place;
    const given = { kind: 'numeric', path: file, workspace, dataset: name, columns } as const;
    return await importAt(em, { ...given, snapshots: source }, at);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function sourceText({ project_id, project_version, snapshots }: SnapshotSource): string {
  const [first, last] = [snapshots[0]!.as_of_date, snapshots.at(-1)!.as_of_date];
  return `${snapshots.length} sealed snapshots of project ${project_id}, version ${project_version}, ${first} to ${last}`;
}
