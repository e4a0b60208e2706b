import type { BackendName } from '../support/backends.ts';
import type { Cluster } from '../support/cluster.ts';
import type { PeerName } from './peers/peer-rows.ts';

/**
 * - **subject**: the work that Assay does for a caller or an operator.
 * - **peer**: a simple program with the same result, or the part of the work that every program must do.
 * - **round**: one measurement of the subject and one of the peer. The two follow each other directly, so that
 *   other load affects both.
 */
export type Row = {
  bench: string;
  case: string;
  /** The subject's median over the rounds; null if it could not be measured. */
  figure: number | null;
  unit: string;
  /** The peer's median, in the same unit. */
  peer: number | null;
  /** Subject divided by peer, the median over the rounds. */
  ratio: number | null;
  /** The smallest and the largest ratio over the rounds. */
  spread: [number, number] | null;
  /** The target of the figure, in words; null if the row is only shown. */
  target: string | null;
  met: boolean | null;
  /** A description of the work of the subject and of the peer, if the name of the case is not enough. */
  note: string;
};

/** `full` gives meaningful figures; `tiny` only shows that the bench works. */
export type Size = 'full' | 'tiny';

export type BenchContext = {
  size: Size;
  cluster: Cluster;
  /** The requested size of a price table, if the bench takes one. */
  rows?: number | undefined;
  /** A file to measure on, if the bench takes one; undefined if the bench uses its own file. */
  data?: string | undefined;
  /** The stack to compare with instead of the usual peer, if the bench knows such stacks. */
  peer?: PeerName | undefined;
  /** The queue backends to measure on. */
  backends: readonly BackendName[];
  /** Reports progress to a person. */
  notify(line: string): void;
};

export type Bench = {
  summary: string;
  /** The targets and their reasons, for `--help`. */
  targets: string;
  run(context: BenchContext): Promise<Row[]>;
};
