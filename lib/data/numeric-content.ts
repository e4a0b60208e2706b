import { canonicalJson } from '#lib/core/seal.ts';
import type { Environment } from '#lib/database/base.ts';
import type { NumericColumn } from './numeric-columns.ts';

/**
 * The sealed research snapshots from which a content was built. The content has one row per snapshot, ordered by date.
 */
export type SnapshotSource = {
  environment: Environment;
  project_id: number;
  project_version: number;
  definition_sha256: string;
  /**
   * The features and entities of the snapshots. The content has one column for each feature of each entity, in this
   * order.
   */
  features: { key: string; version: number }[];
  entities: string[];
  snapshots: { uid: string; as_of_date: string; content_hash: string; seal_hash: string }[];
};

export type ContentRow = {
  observedOn: string | null;
  entity: string | null;
  values: readonly (number | null)[];
};

/**
 * Returns the beginning of the hashed content: the columns as `[[name, type], ...]`, and the source if the
 * content was built from snapshots.
 */
export function contentHead(
  columns: readonly Pick<NumericColumn, 'name' | 'type'>[],
  source?: SnapshotSource,
) {
  const head = `${JSON.stringify(columns.map(({ name, type }) => [name, type]))}\n`;
  return source ? `${head}${canonicalJson(source)}\n` : head;
}

/**
 * Returns the hashed line of a row: `[date, entity, ...numbers]`, with the numbers of `numbersOf`. Texts, numbers and
 * nulls have their RFC 8785 form.
 */
export function contentLine(
  { observedOn, entity }: Pick<ContentRow, 'observedOn' | 'entity'>,
  numbers: string,
): string {
  const about = JSON.stringify([observedOn, entity]).slice(0, -1);
  return numbers === '' ? `${about}]\n` : `${about},${numbers}]\n`;
}

/**
 * Joins numbers and nulls with commas. The text is the same in JavaScript and in RFC 8785, and PostgreSQL can read it
 * in an array.
 */
export function numbersOf(values: readonly (number | null)[]): string {
  let text = '';
  for (let at = 0; at < values.length; at++) text += at === 0 ? values[at] : `,${values[at]}`;
  return text;
}
