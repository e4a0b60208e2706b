import type { BackendName } from '../support/backends.ts';
import type { Cluster } from '../support/cluster.ts';

/**
 * - **subject**: Assay, doing what a caller or an operator asks of it.
 * - **peer**: the plain way to the same thing, or to the part of it that cannot be left out.
 * - **round**: both once, one right after the other, so that a noisy machine hits both.
 */
export type Row = {
  bench: string;
  case: string;
  /** Of the subject, the median of the rounds; null where it could not be had. */
  figure: number | null;
  unit: string;
  /** The peer's, in the same unit. */
  peer: number | null;
  /** Subject over peer, the median of the rounds. */
  ratio: number | null;
  /** The least and the greatest ratio of a round. */
  spread: [number, number] | null;
  /** What the figure should come to, in words; null where the row is only shown. */
  target: string | null;
  met: boolean | null;
  /** What each side does, as far as the case does not say it. */
  note: string;
};

/** `full` gives figures; `tiny` only shows that the bench works. */
export type Size = 'full' | 'tiny';

export type BenchContext = {
  size: Size;
  cluster: Cluster;
  /** How large a table of prices is wanted, where a bench asks for one. */
  rows?: number | undefined;
  /** A file to measure on, where a bench takes one; undefined for its own. */
  data?: string | undefined;
  /** The queue backends to measure on. */
  backends: readonly BackendName[];
  /** Tells a person how far it is. */
  notify(line: string): void;
};

export type Bench = {
  summary: string;
  /** The targets and why they are what they are, for `--help`. */
  targets: string;
  run(context: BenchContext): Promise<Row[]>;
};
