import { canonicalJson } from '#lib/core/seal.ts';
import type { Environment } from '#lib/database/base.ts';
import type { NumericColumn } from './numeric-columns.ts';

/** The sealed research snapshots that a content was put together from: a row for each, by their dates. */
export type SnapshotSource = {
  environment: Environment;
  project_id: number;
  project_version: number;
  definition_sha256: string;
  /** The columns are every feature of every entity, in this order. */
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
 * What the hash of a content begins with: the columns as `[[name, type], ...]`, and where it comes from if it was put
 * together from snapshots.
 */
export function contentHead(
  columns: readonly Pick<NumericColumn, 'name' | 'type'>[],
  source?: SnapshotSource,
) {
  const head = `${JSON.stringify(columns.map(({ name, type }) => [name, type]))}\n`;
  return source ? `${head}${canonicalJson(source)}\n` : head;
}

/** The line of a row in the hash: `[date, entity, ...numbers]`. Texts, numbers and nulls are as RFC 8785 writes them. */
export function contentLine({ observedOn, entity, values }: ContentRow, numbers = numbersOf(values)): string {
  const about = JSON.stringify([observedOn, entity]).slice(0, -1);
  return numbers === '' ? `${about}]\n` : `${about},${numbers}]\n`;
}

/** Numbers and nulls with commas between: PostgreSQL reads in an array what the language and RFC 8785 write. */
export function numbersOf(values: readonly (number | null)[]): string {
  let text = '';
  for (let at = 0; at < values.length; at++) text += at === 0 ? values[at] : `,${values[at]}`;
  return text;
}
