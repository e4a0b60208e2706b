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
