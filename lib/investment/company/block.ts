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
 * Why a block is null. In order of precedence:
 *
 * - **not_entitled**: the workspace is not entitled to the scope, or to any dataset of the kind.
 * - **insufficient_scope**: the credential lacks the scope that reads the data elsewhere.
 * - **never_observed**: nothing about the company was known by the end of the day.
 * - **stale**: the newest observation is older than the block allows.
 */
export const blockReasons = ['not_entitled', 'insufficient_scope', 'never_observed', 'stale'] as const;
export type BlockReason = (typeof blockReasons)[number];

/** A company as known by the end of a day. */
export type Company = {
  workspace: string;
  /** The day whose knowledge counts, YYYY-MM-DD. */
  day: string;
  state: InstrumentState;
  subject: Subject;
  /** The known symbols, the current one first. */
  symbols: readonly string[];
};

/** A block of the page of a company. */
export type CompanyBlock = {
  /** The scope that reads the data elsewhere; null if the page's own scope does. */
  scope: Scope | null;
  /** The kind of dataset that the block reads; null if its data are computed in the workspace. */
  kind: DatasetKind | null;
  schema: TSchema;
  /** Reads the block, with a fixed number of statements. */
  read(em: Em, company: Company): Promise<Record<string, unknown> | BlockReason>;
};

/** Declares a block. `read` returns what the schema describes. */
export function defineBlock<S extends TSchema>(
  block: Omit<CompanyBlock, 'schema' | 'read'> & {
    schema: S;
    read(em: Em, company: Company): Promise<Static<NoInfer<S>> | BlockReason>;
  },
): CompanyBlock {
  return block as CompanyBlock;
}

export const DatasetUid = Uid(prefixes.dataset, 'The dataset that the block was read from.');

/** Builds the schema of a block: its origin and age, and its members. `since` completes "Whole days since". */
export function Block<P extends TProperties, D extends TSchema = typeof DatasetUid>(
  members: P,
  about: { title: string; description: string; since: string; dataset?: D },
) {
  const { title, description, since } = about;
  // Without `dataset`, D is its default.
  const dataset = (about.dataset ?? DatasetUid) as D;
  return Closed(
    {
      dataset,
      known_at: InstantOf('When the newest data of the block became known.'),
      age_days: Type.Integer({
        description: `Whole days since ${since}, until \`as_of\`.`,
        examples: [3],
      }),
      ...members,
    },
    { title, description },
  );
}

/** Counts the days from a day, or the day of an instant, to the day of the page. */
export function ageDays({ day }: Company, since: string): number {
  return daysBetween(since.slice(0, 10), day);
}

/** Returns the latest of some instants or days; of instants in one millisecond, the first. Throws without any. */
export function latestOf(instants: readonly string[]): string {
  return instants.reduce((latest, each) => (instantOf(each) > instantOf(latest) ? each : latest));
}
