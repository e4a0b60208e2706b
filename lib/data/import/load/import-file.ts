import type { ContentHashes, ImportReport, ImportRequest, Load, Loaded } from './import-request.ts';
import { basename, resolve } from 'node:path';
import { sql } from 'kysely';
import { systemClock } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { DatasetImport, type DatasetKind } from '#lib/data/dataset.entity.ts';
import type { Em } from '#lib/database/base.ts';
import { contentHash } from '../readers/csv-source.ts';

import { analyze } from './analyze.ts';
import { ImportRefused } from './import-refused.ts';
import { loadEconomics } from '../kinds/economic-series.ts';
import { lockDataset, type LockedDataset } from './lock-dataset.ts';
import { corporateActions } from '../kinds/corporate-actions.ts';
import { fundamentals } from '../kinds/fundamentals.ts';

import { loadMetrics } from '../kinds/metrics.ts';
import { loadNumeric, statedHash } from '../kinds/numeric.ts';
import { loadInstruments, loadPrices } from '../kinds/observations.ts';
import { loadObservations } from './load-observations.ts';
import { loadTaxonomy } from '../kinds/taxonomy.ts';

const loaders: Record<DatasetKind, (em: Em, load: Load) => Promise<Loaded>> = {
  prices: loadPrices,
  instruments: loadInstruments,
  economics: loadEconomics,
  taxonomy: loadTaxonomy,
  corporate_actions: (em, load) => loadObservations(em, load, corporateActions),
  fundamentals: (em, load) => loadObservations(em, load, fundamentals),
  metrics: loadMetrics,
  numeric: loadNumeric,
};

/**
 * Imports a file into a dataset of a workspace: the whole file or, with an `ImportRefused`, nothing. `em` must have
 * the operator role. The import runs in one transaction, which is nested in the transaction of `em` if `em` is in a
 * transaction. Imports into one dataset run one after another. The same content with the same options is imported only
 * once; a repeated call returns the first import and changes nothing.
 */
export async function importFile(em: Em, request: ImportRequest): Promise<ImportReport> {
  const started = performance.now();
  if (request.rejectsPath !== undefined && resolve(request.rejectsPath) === resolve(request.path)) {
    throw new ImportRefused('import_refused', 'the rejects file must differ from the imported file');
  }
  const report = await em.transactional((inner) => importContent(inner as Em, request));
  return { ...report, seconds: (performance.now() - started) / 1000 };
}

async function importContent(em: Em, request: ImportRequest): Promise<Omit<ImportReport, 'seconds'>> {
  const { kind, clock = systemClock } = request;
  const dataset = await lockDataset(em, {
    workspace: request.workspace,
    kind,
    name: request.dataset ?? kind,
    now: clock.now(),
  });
  // The first import is not hashed in advance, because there is no earlier import to compare with. For later imports,
  // hashing the file costs little compared with loading it.
  const expected = dataset.revision === 0 ? undefined : await hashesOf(request);
  const earlier = expected && (await findEarlier(em, request, { dataset, hashes: expected }));
  if (earlier) return reportOf(request, dataset, earlier);
  const now = clock.now(); // read under the lock, so that a later revision has a later time
  const revision = dataset.revision + 1;
  const loaded = await loaders[kind](em, { ...request, datasetId: dataset.id, revision, now });
  if (expected) assertSame(loaded.hashes, expected);
  const prints = fingerprints(request, loaded.hashes);
  const made = em.create(DatasetImport, {
    uid: newUid(prefixes.datasetImport),
    datasetId: dataset.id,
    revision,
    fingerprint: loaded.rows.rejected > 0 ? prints.partial : prints.whole,
    fileName: request.fileName ?? basename(request.path),
    rowsRead: loaded.rows.read,
    rowsInserted: loaded.rows.inserted,
    rowsCorrected: loaded.rows.corrected,
    rowsUnchanged: loaded.rows.unchanged,
    rowsRejected: loaded.rows.rejected,
    importedByUid: request.importedBy ?? null,
    importedAt: now,
  });
  await analyze(em, kind, loaded.rows.inserted + loaded.rows.corrected);
  await noteImport(em, made);
  return {
    ...reportOf(request, dataset, made),
    frequency: loaded.frequency,
    alreadyImported: false,
    rejectsPath: loaded.rejectsPath,
  };
}

/**
 * Records the import in its dataset. The content hash of the dataset is the hash of the previous hash followed by the
 * fingerprint of the import.
 */
async function noteImport(em: Em, made: DatasetImport): Promise<void> {
  await sql`
    update dataset set revision = ${made.revision},
      rows_held = rows_held + ${made.rowsInserted + made.rowsCorrected}::bigint,
      content_hash = encode(sha256(convert_to(coalesce(content_hash, '') || ${made.fingerprint}::text, 'UTF8')), 'hex')
    where id = ${made.datasetId}
  `.execute(em.getKysely());
}

async function hashesOf(request: ImportRequest): Promise<ContentHashes> {
  const { path, versionsPath, seriesPath } = request;
  const content = await contentHash(path);
  if (request.columns) return { content, versions: statedHash(request) };
  const beside = versionsPath ?? seriesPath;
  return { content, versions: beside === undefined ? null : await contentHash(beside) };
}

type Content = { dataset: LockedDataset; hashes: ContentHashes };

/**
 * Finds an earlier import with the same fingerprint. If the earlier import skipped bad rows, it is used only if this
 * request skips bad rows too.
 */
async function findEarlier(
  em: Em,
  request: ImportRequest,
  { dataset, hashes }: Content,
): Promise<DatasetImport | null> {
  const { whole, partial } = fingerprints(request, hashes);
  const fingerprint = request.skipBad ? [whole, partial] : [whole];
  return em.findOne(DatasetImport, { datasetId: dataset.id, fingerprint });
}

/** Returns two fingerprints: one for the whole file, and one for the file without its bad rows. */
function fingerprints({ kind, frequency, knownAt, mapping }: ImportRequest, hashes: ContentHashes) {
  const covered = {
    kind,
    ...hashes,
    frequency: frequency ?? null,
    known_at: knownAt ?? null,
    ...(mapping && { mapping: { ...mapping, dateFormat: mapping.dateFormat ?? null } }),
  };
  return {
    whole: canonicalHash({ ...covered, skip_bad: false }),
    partial: canonicalHash({ ...covered, skip_bad: true }),
  };
}

function assertSame(loaded: ContentHashes, expected: ContentHashes): void {
  if (loaded.content === expected.content && loaded.versions === expected.versions) return;
  throw new ImportRefused('file_changed', 'the file changed while it was being read');
}

function reportOf(
  request: ImportRequest,
  dataset: LockedDataset,
  made: DatasetImport,
): Omit<ImportReport, 'seconds'> {
  return {
    importUid: made.uid,
    dataset: { id: dataset.id, uid: dataset.uid, name: dataset.name },
    kind: request.kind,
    frequency: request.frequency,
    revision: made.revision,
    rows: {
      read: made.rowsRead,
      inserted: made.rowsInserted,
      corrected: made.rowsCorrected,
      unchanged: made.rowsUnchanged,
      rejected: made.rowsRejected,
    },
    alreadyImported: true,
    rejectsPath: undefined,
  };
}
