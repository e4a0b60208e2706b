import { defineCommand, type Circumstances, type Entry, type Place } from '#lib/governance/command.ts';
import { placeOfWorkspace, workspaceUnknown } from '#lib/access/workspace.query.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Em } from '#lib/database/base.ts';
import { findNumericDataset } from '../../numeric-dataset.write.ts';
import { importFile } from './import-file.ts';
import type { ImportReport, ImportRequest } from './import-request.ts';
import { awaitDataset } from './lock-dataset.ts';

/**
 * The input of the command. `importedBy` is the person responsible for the import, if another actor runs the command.
 */
type Input = Omit<ImportRequest, 'clock'>;

export type Imported = {
  report: ImportReport;
  /** For a numeric dataset: the hash of its current content. */
  contentHash: string | null;
  /** Whether the content was imported before and has since been replaced. The import then changes nothing. */
  isSuperseded: boolean;
};

/**
 * Imports a file into a dataset of a workspace: the whole file or, with an `ImportRefused`, nothing.
 * Repeating an import changes nothing and adds no entry to the audit log.
 */
export const importDataset = defineCommand<Input>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: (em, { workspace, kind, dataset = kind }) => awaitDataset(em, { workspace, kind, name: dataset }),
  facts: async () => undefined,
  decide: () => ({ ok: true }),
  async write(em, _facts, _verdict, at) {
    return { result: await importAt(em, at.input, at) };
  },
  entry: (_facts, _verdict, _input, result) => result && importedEntry(result.report),
  refusals: { workspace_unknown: workspaceUnknown },
});

/** Imports a file as part of a governed change. The change must have locked the dataset with `awaitDataset`. */
export async function importAt(
  em: Em,
  input: Input,
  { actor, now }: Pick<Circumstances<Place>, 'actor' | 'now'>,
): Promise<Imported> {
  const importedBy = actor.kind === 'person' ? actor.uid : input.importedBy;
  const report = await importFile(em, { ...input, importedBy, clock: { now: () => now } });
  const { kind, dataset, revision, alreadyImported } = report;
  const held = kind === 'numeric' ? await findNumericDataset(em, dataset.id, input.workspace) : null;
  return {
    report,
    contentHash: held?.contentHash ?? null,
    isSuperseded: held !== null && alreadyImported && held.revision > revision,
  };
}

/** Returns the audit entry of an import; undefined if the import changed nothing. */
export function importedEntry(report: ImportReport): Entry | undefined {
  if (report.alreadyImported) return undefined;
  const { dataset, kind, revision, importUid, rows } = report;
  return {
    op: 'dataset.imported',
    subject: { type: 'dataset', uid: dataset.uid, version: revision },
    details: { import: importUid, kind, rows },
  };
}

/** Returns the refusal of an import whose content was imported before and has since been replaced. */
export function supersededContent({ revision, dataset }: ImportReport): Refusal {
  return new Refusal(
    'content_superseded',
    `${dataset.name} had this content at revision ${revision}, but it has been replaced since. Use another ` +
      'dataset name.',
  );
}
