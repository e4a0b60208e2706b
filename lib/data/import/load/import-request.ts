import type { Clock } from '#lib/core/clock.ts';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import type { StatedColumns } from '../../numeric-columns.ts';
import type { SnapshotSource } from '../../numeric-content.ts';
import type { ReadProgress } from '../readers/line-block.ts';
import type { Mapping } from '../readers/mapping.ts';

export const frequencies = ['monthly', 'daily'] as const;
export type Frequency = (typeof frequencies)[number];

export type ImportProgress = ReadProgress & { rows: number };

export type ImportRequest = {
  kind: DatasetKind;
  /** The path of a CSV file (plain or gzip) or of a Parquet file. */
  path: string;
  /** The file name that is recorded. Default: the name of the file. */
  fileName?: string | undefined;
  /** Uid of the workspace that owns the dataset. */
  workspace: string;
  /** The name of the dataset. Default: the kind. A new dataset is created with an entitlement of the workspace. */
  dataset?: string | undefined;
  /** Uid of the person responsible for the import. */
  importedBy?: string | undefined;
  /** The frequency of prices. Default: derived from the file. */
  frequency?: Frequency | undefined;
  /**
   * The moment at which a row without its own moment became known. Default: the end of the day that the row describes.
   */
  knownAt?: 'now' | undefined;
  /** Whether to load the valid rows of a file with errors. Default: refuse the whole file. */
  skipBad?: boolean | undefined;
  /** The path of the file for skipped rows. Default: none. */
  rejectsPath?: string | undefined;
  /** For a taxonomy: the path of the file that lists its versions. */
  versionsPath?: string | undefined;
  /** For economics: the path of the file that describes the series. */
  seriesPath?: string | undefined;
  /** The mapping of a file with foreign column names. */
  mapping?: Mapping | undefined;
  /** For a numeric dataset: the description of its columns. */
  columns?: StatedColumns | undefined;
  /** For a numeric dataset: the sealed snapshots from which the file was built. */
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
  /** The frequency of prices; undefined if the file was imported before and no frequency was requested. */
  frequency: Frequency | undefined;
  revision: number;
  rows: RowCounts;
  seconds: number;
  alreadyImported: boolean;
  rejectsPath: string | undefined;
};

/** The input of the loader of a kind. */
export type Load = ImportRequest & {
  datasetId: number;
  revision: number;
  now: Date;
};

/**
 * SHA-256 hashes of the content of the file, and of the data given in addition to it: versions, series or column
 * descriptions.
 */
export type ContentHashes = { content: string; versions: string | null };

export type Loaded = {
  /** The hashes of the file content that was loaded, for the fingerprint of the import. */
  hashes: ContentHashes;
  rows: RowCounts;
  frequency?: Frequency | undefined;
  rejectsPath?: string | undefined;
};
