import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import Type, { type Static } from 'typebox';
import { systemClock } from '#lib/core/clock.ts';
import { Problem } from '#lib/core/problem.ts';
import { Closed } from '#lib/core/schema.ts';
import { importDataset, type Imported } from '#lib/data/import/load/import-dataset.command.ts';
import { ImportRefused } from '#lib/data/import/load/import-refused.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { InputOf } from '#lib/governance/command.ts';
import { governWithin } from '#lib/governance/govern.ts';
import { TaskRefused } from '#lib/workflows/begin-step.write.ts';
import { FEED_PATTERN, newestFile, writeOut, type KeptFile } from '#lib/workflows/file.write.ts';

/** The kinds of files that can be imported without further options. */
const importedKinds = [
  'prices',
  'instruments',
  'corporate_actions',
  'fundamentals',
  'economics',
  'metrics',
  'numeric',
] as const;

/**
 * The input of an import step: either the newest file of a feed or the file with a given digest, and the existing
 * dataset of the workspace that receives the rows.
 */
export const ImportStep = Closed({
  kind: Type.Enum([...importedKinds]),
  dataset: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' })),
  feed: Type.Optional(Type.String({ pattern: FEED_PATTERN })),
  sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  known_at: Type.Optional(Type.Literal('now')),
});
type ImportStep = Static<typeof ImportStep>;

const FAULTS_TOLD = 20;

/**
 * Imports a file that a person stored, by the same rules as `assay import`. The import records that person as
 * responsible. The import runs in the transaction of the step and imports the whole file or nothing. Content
 * that was already imported is not imported again. The import creates no dataset and grants no entitlement.
 */
export async function importKept(em: Em, request: ImportStep): Promise<Record<string, unknown>> {
  const { kind, dataset: name = kind } = request;
  const file = await fileOf(em, request);
  await findDataset(em, kind, name);
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-import-'));
  try {
    const at = path.join(folder, 'file');
    await writeOut(em, file, at);
    const { workspace } = tenantOf(em);
    const given = { kind, path: at, fileName: file.name, workspace, dataset: name };
    const { report, isSuperseded } = await carriedOut(em, {
      ...given,
      knownAt: request.known_at,
      importedBy: file.keptBy,
    });
    if (isSuperseded) {
      const detail = `the file was replaced by other content in ${report.dataset.name}`;
      throw new ImportRefused('import_refused', detail);
    }
    const { uid, sha256 } = file;
    const { dataset, revision, rows, importUid } = report;
    return {
      import: importUid,
      dataset: { id: dataset.id, uid: dataset.uid, name },
      kind,
      revision,
      rows,
      already_imported: report.alreadyImported,
      file: { uid, name: file.name, sha256 },
    };
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error;
    const { code, message, errors, errorsTotal } = error;
    throw new TaskRefused('validation_failed', message, {
      file: { uid: file.uid, name: file.name, sha256: file.sha256 },
      refused: storable({
        code,
        detail: message,
        errors: errors.slice(0, FAULTS_TOLD),
        errors_total: errorsTotal,
      }),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Replaces characters that PostgreSQL does not accept in JSON. A report that quotes a file can contain a NUL
 * character or half of a surrogate pair.
 */
function storable(reported: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(reported), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value,
  ) as Record<string, unknown>;
}

async function fileOf(em: Em, { feed, sha256 }: ImportStep): Promise<KeptFile> {
  if ((feed === undefined) === (sha256 === undefined)) {
    throw new Problem('validation_failed', 'An import must name either a feed or a file digest.');
  }
  const file = await newestFile(em, feed === undefined ? { sha256: sha256! } : { feed });
  if (!file) throw new Problem('not_found', 'No file with this feed or digest is stored.');
  return file;
}

async function findDataset(em: Em, kind: string, name: string): Promise<void> {
  const { rows } = await sql`
    select from dataset where workspace_uid = ${tenantOf(em).workspace} and kind = ${kind} and name = ${name}
  `.execute(em.getKysely());
  if (rows.length === 0)
    throw new Problem('unknown_dataset', `The workspace has no dataset ${name} of kind ${kind}.`);
}

/**
 * Carries out the governed change of `assay import`, in the transaction of the step. The audit log names
 * Assay itself as the actor.
 */
async function carriedOut(em: Em, input: InputOf<typeof importDataset>): Promise<Imported> {
  const { workspace } = input;
  const done = await governWithin(em, importDataset, input, {
    actor: { kind: 'system' },
    place: { workspace },
    clock: systemClock,
  });
  if (!done.ok) throw new Error(`an import was refused: ${done.code}`);
  return done.result;
}
