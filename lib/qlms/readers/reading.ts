import type { Em } from '#lib/database/base.ts';
import type { Directory, DirectoryDataset } from './directory.query.ts';
import type { FactSource } from '../facts/fact.ts';
import type { RefusalCode } from '../language/codes.ts';

/** Where a fact is stored, as an answer states it. Members that do not apply are null. */
export type SourceRecord = {
  dataset_uid: string | null;
  revision: number | null;
  record_uid: string | null;
  run_uid: string | null;
  seal_hash: string | null;
};

/** The state of one question: the transaction, the names, and the limits of the data that may be used. */
export type ReadingState = {
  em: Em;
  directory: Directory;
  /** The revisions of the datasets that may be read, by dataset id. */
  revisions: Readonly<Record<string, number>>;
  /** The as-of day of the question: only data known by its end is used; undefined: no limit. */
  asOf: string | undefined;
  today: string;
  /** The records of the sources that facts name, by the name of the source. */
  sources: Map<string, SourceRecord>;
  /** The hash of each live record that was read, by its uid. */
  records: Map<string, string>;
};

/** Ends the evaluation of a question with a refusal. */
export class ReadingRefused extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode) {
    super(code);
    this.code = code;
  }
}

/** Returns the earlier of two days: the day that a query names, and the as-of day of the question. */
export function knownBy({ asOf }: ReadingState, named: string | undefined): string | undefined {
  if (asOf === undefined || named === undefined) return named ?? asOf;
  return named < asOf ? named : asOf;
}

/** Returns the readable datasets of a kind at the revisions of the question, in order of precedence. */
export function datasetsOf({ directory, revisions }: ReadingState, kind: string): DirectoryDataset[] {
  return directory.datasets.flatMap((each) => {
    const revision = each.kind === kind ? revisions[String(each.id)] : undefined;
    return revision === undefined ? [] : [{ ...each, revision }];
  });
}

const NOWHERE: SourceRecord = {
  dataset_uid: null,
  revision: null,
  record_uid: null,
  run_uid: null,
  seal_hash: null,
};

/** Returns the source of an observation in a dataset, and remembers the dataset. */
export function observedIn(
  state: ReadingState,
  name: string,
  dataset: Pick<DirectoryDataset, 'uid' | 'revision'>,
  pointer?: string,
): FactSource {
  state.sources.set(name, { ...NOWHERE, dataset_uid: dataset.uid, revision: dataset.revision });
  return { kind: 'observation', name, ...(pointer === undefined ? {} : { pointer }) };
}

/** Remembers the record that a label names. */
export function rememberRecord(state: ReadingState, label: string, uid: string): void {
  state.sources.set(label, { ...NOWHERE, record_uid: uid });
}

/** Remembers the seal of a run. */
export function rememberRun(state: ReadingState, uid: string, sealHash: string): void {
  state.sources.set(uid, { ...NOWHERE, run_uid: uid, seal_hash: sealHash });
}
