import { basename, resolve } from 'node:path';
import { sql } from 'kysely';
import { systemClock, type Clock } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { DatasetImport, type DatasetKind } from '#lib/data/dataset.entity.ts';
import type { Em } from '#lib/database/base.ts';
import { contentHash, type ReadProgress } from '../readers/csv-source.ts';
import type { StatedColumns } from '../../numeric-columns.ts';
import type { SnapshotSource } from '../../numeric-content.ts';
import { analyze } from './analyze.ts';
import { ImportRefused } from './import-refused.ts';
import { loadEconomics } from '../kinds/economic-series.ts';
import { lockDataset, type LockedDataset } from './lock-dataset.ts';
import { corporateActions } from '../kinds/corporate-actions.ts';
import { fundamentals } from '../kinds/fundamentals.ts';
import type { Mapping } from '../readers/mapping.ts';
import { loadMetrics } from '../kinds/metrics.ts';
import { loadNumeric, statedHash } from '../kinds/numeric.ts';
import { loadInstruments, loadPrices } from '../kinds/observations.ts';
import { loadObservations } from './load-observations.ts';
import { loadTaxonomy } from '../kinds/taxonomy.ts';

export const frequencies = ['monthly', 'daily'] as const;
export type Frequency = (typeof frequencies)[number];

export type ImportProgress = ReadProgress & { rows: number };

export type ImportRequest = {
  kind: DatasetKind;
  /** A CSV file, plain or gzip. */
  path: string;
  /** What it is called on record. Default: its own name. */
  fileName?: string | undefined;
  /** Uid of the workspace that owns the dataset. */
  workspace: string;
  /** Default: the kind. Made on first use, with the workspace's entitlement to it. */
  dataset?: string | undefined;
  /** Uid of the person who answers for the import. */
  importedBy?: string | undefined;
  /** Of prices. Default: what the file looks like. */
  frequency?: Frequency | undefined;
  /** When a row that states no moment was known. Default: at the end of the day that it is about. */
  knownAt?: 'now' | undefined;
  /** Load what is valid of a file with faults. Default: refuse the whole file. */
  skipBad?: boolean | undefined;
  /** Where rows that are skipped are written. Default: nowhere. */
  rejectsPath?: string | undefined;
  /** Of a taxonomy: the file of its versions. */
  versionsPath?: string | undefined;
  /** Of economics: the file that says what its series are. */
  seriesPath?: string | undefined;
  /** How to read a file that is not in our words. */
  mapping?: Mapping | undefined;
  /** Of a numeric dataset: what is said of its columns. */
  columns?: StatedColumns | undefined;
  /** Of a numeric dataset: the sealed snapshots that the file was put together from. */
  snapshots?: SnapshotSource | undefined;
  clock?: Clock | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
};

export type RowCounts = {
  read: number;
  inserted: number;
  corrected: number;
  unchanged: number;
  rejected: number;
};

export type ImportReport = {
  importUid: string;
  dataset: { id: number; uid: string; name: string };
  kind: DatasetKind;
  /** Of prices; unknown of a file that was imported before without asking for one. */
  frequency: Frequency | undefined;
  revision: number;
  rows: RowCounts;
  seconds: number;
  alreadyImported: boolean;
  rejectsPath: string | undefined;
};

/** What a kind of file is given to load it. */
export type Load = ImportRequest & {
  datasetId: number;
  revision: number;
  now: Date;
};

/** SHA-256 of the content of the file and of what stands beside it: versions, series, what is said of columns. */
export type ContentHashes = { content: string; versions: string | null };

export type Loaded = {
  /** Of what was loaded. */
  hashes: ContentHashes;
  rows: RowCounts;
  frequency?: Frequency | undefined;
  rejectsPath?: string | undefined;
};

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
 * Imports a file into a dataset of a workspace: all of it or, with an `ImportRefused`, nothing. The em has the
 * operator's role; the import is one transaction, within the em's own when it is in one. Imports into one dataset take
 * turns. The same content with the same options is imported once: later calls answer with the first import and change
 * nothing.
 */
export async function importFile(em: Em, request: ImportRequest): Promise<ImportReport> {
  const started = performance.now();
  if (request.rejectsPath !== undefined && resolve(request.rejectsPath) === resolve(request.path)) {
    throw new ImportRefused('import_refused', 'the rejects cannot be written over the file itself');
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
  // A look at the whole file is cheap beside loading it, and needless where nothing was imported yet.
  const expected = dataset.revision === 0 ? undefined : await hashesOf(request);
  const earlier = expected && (await findEarlier(em, request, { dataset, hashes: expected }));
  if (earlier) return reportOf(request, dataset, earlier);
  const now = clock.now(); // after the wait for the lock, so that later revisions are known later
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

/** The hash of the content is that of the hash before and the fingerprint of the import, one text behind the other. */
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

/** A file without its bad rows counts as imported only for one who would leave them out again. */
async function findEarlier(
  em: Em,
  request: ImportRequest,
  { dataset, hashes }: Content,
): Promise<DatasetImport | null> {
  const { whole, partial } = fingerprints(request, hashes);
  const fingerprint = request.skipBad ? [whole, partial] : [whole];
  return em.findOne(DatasetImport, { datasetId: dataset.id, fingerprint });
}

/** One for a file that was loaded whole, and one for what was left of it without its bad rows. */
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
  throw new ImportRefused('file_changed', 'the file was changed while it was being read');
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
