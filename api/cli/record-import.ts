import type { ImportReport } from '#lib/data/import/import-file.ts';
import type { Em } from '#lib/database/base.ts';
import { record } from './record.ts';

/** Writes an import into the audit log, in its transaction. A file that was imported before changed nothing. */
export async function recordImport(
  em: Em,
  workspace: string,
  report: ImportReport,
  by?: string,
): Promise<void> {
  if (report.alreadyImported) return;
  const { dataset, kind, revision, importUid, rows } = report;
  await record(em, {
    op: 'dataset.imported',
    workspace,
    by,
    subject: { type: 'dataset', uid: dataset.uid, version: revision },
    details: { import: importUid, kind, rows },
  });
}
