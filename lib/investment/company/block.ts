import { instantOf } from '#lib/core/clock.ts';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { daysBetween } from '#lib/core/date.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Uid } from '#lib/core/schema.ts';
import type { Scope } from '#lib/core/scope.ts';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import type { Subject } from '#lib/data/instrument-series.query.ts';
import type { InstrumentState } from '#lib/data/instrument.query.ts';
import type { Em } from '#lib/database/base.ts';

/**
 * The reasons for which a block is null, in order of precedence:
 *
 * - **not_entitled**: the workspace is not entitled to the scope, or to any dataset of the kind.
 * - **insufficient_scope**: the credential lacks the scope that other operations need to read the data.
 * - **never_observed**: nothing about the company was known by the end of the day.
 * - **stale**: the newest observation is older than the block allows.
 * - **too_large**: the block would be computed from more data than a read may use.
 * - **too_many_waiting**: too many reads are being computed. A later request returns the block.
 */
export const blockReasons = [
  'not_entitled',
  'insufficient_scope',
  'never_observed',
  'stale',
  'too_large',
  'too_many_waiting',
] as const;
export type BlockReason = (typeof blockReasons)[number];

/** A company, as it was known at the end of a day. */
export type Company = {
  workspace: string;
  /** The day at whose end the data must have been known, YYYY-MM-DD. */
  day: string;
  state: InstrumentState;
  subject: Subject;
  /** The known symbols, with the current symbol first. */
  symbols: readonly string[];
};

/** A block of the page of a company. */
export type CompanyBlock = {
  /** The scope that other operations need to read the same data; null if the scope of the page is enough. */
  scope: Scope | null;
  /** The kind of dataset that the block reads; null if the data are computed in the workspace. */
  kind: DatasetKind | null;
  schema: TSchema;
  /**
   * The file whose default export computes the block in a thread, from the `input` that `read` returns; undefined if
   * `read` returns the block itself.
   */
  computation?: URL;
  /** Reads the block or the input of its computation, with a fixed number of statements. */
  read(em: Em, company: Company): Promise<Record<string, unknown> | BlockReason>;
};

/** Declares a block. `read` returns a value that matches the schema, or the input of the computation. */
export function defineBlock<S extends TSchema>(
  block: Omit<CompanyBlock, 'schema' | 'read' | 'computation'> & { schema: S } & (
      | { read(em: Em, company: Company): Promise<Static<NoInfer<S>> | BlockReason> }
      | {
          computation: URL;
          read(em: Em, company: Company): Promise<{ input: unknown } | BlockReason>;
        }
    ),
): CompanyBlock {
  return block as CompanyBlock;
}

export const DatasetUid = Uid(prefixes.dataset, 'The dataset that the block was read from.');

/**
 * Builds the schema of a block: its origin and age, and its members. `since` names the start in the description "Whole
 * days from ... to `as_of`".
 */
export function Block<P extends TProperties, D extends TSchema = typeof DatasetUid>(
  members: P,
  about: { title: string; description: string; since: string; dataset?: D },
) {
  const { title, description, since } = about;
  // Without `dataset`, D has its default type, so the cast is safe.
  const dataset = (about.dataset ?? DatasetUid) as D;
  return Closed(
    {
      dataset,
      known_at: InstantOf('When the newest data of the block became known.'),
      age_days: Type.Integer({
        description: `Whole days from ${since} to \`as_of\`.`,
        examples: [3],
      }),
      ...members,
    },
    { title, description },
  );
}

/** Returns the number of days from `since` (a day or an instant) to the day of the page. */
export function ageDays({ day }: Company, since: string): number {
  return daysBetween(since.slice(0, 10), day);
}

/**
 * Returns the latest of some instants or days. Of instants in the same millisecond, returns the first. Throws
 * if the list is empty.
 */
export function latestOf(instants: readonly string[]): string {
  return instants.reduce((latest, each) => (instantOf(each) > instantOf(latest) ? each : latest));
}
