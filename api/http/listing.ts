import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { FlatRow, Listing } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import { joinCsvLine } from '#lib/data/import/readers/csv-line.ts';
import { isHeld } from './etag.ts';
import { namesOf, type Column } from './list-columns.ts';
import { jsonText } from './json-text.ts';

/** The formats of a list and their media types. The first is the default. */
export const listForms = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const;

export type ListForm = keyof typeof listForms;

/** Returns the format that the caller prefers. Refuses with 406 if the caller accepts no offered format. */
export function formOf(ctx: Context): ListForm {
  ctx.vary('Accept');
  const best = ctx.accepts(...Object.values(listForms));
  for (const [form, type] of Object.entries(listForms)) if (type === best) return form as ListForm;
  throw new Problem('not_acceptable', `The list is available as ${Object.values(listForms).join(', ')}.`);
}

export type ListingAnswer = {
  listing: Listing<unknown>;
  form: ListForm;
  /**
   * A text that identifies the request and the release. Together with the version of the listing, this text
   * identifies the representation.
   */
  requested: string;
  /** The checks of an answer and of a row. Both throw on content that the operation does not declare. */
  checkPage(body: unknown): void;
  checkRow(row: FlatRow): void;
  columns: readonly Column[];
};

/**
 * Answers a list in one of its formats, or with 304 if the caller already has this version. The validator is computed
 * from the version and the request, before the first row is read, so a 304 reads no rows. If the answer fails midway,
 * its last chunk is not sent. Every client treats a missing last chunk as an error.
 */
export async function answerListing(ctx: Context, answer: ListingAnswer): Promise<void> {
  const { listing, form, requested, checkPage, checkRow, columns } = answer;
  if (isHeld(ctx, `${requested}\n${listing.version}`)) return;
  ctx.status = 200;
  if (form === 'json') {
    const { body, headers = {} } = await listing.page();
    checkPage(body);
    ctx.set(headers);
    ctx.type = listForms.json;
    ctx.body = (await jsonText(body)).content;
    return;
  }
  ctx.type = listForms[form];
  const batches = checked(listing.rows(), checkRow);
  const texts = form === 'csv' ? csvOf(batches, columns) : linesOf(batches, columns);
  ctx.body = Readable.from(texts, { objectMode: false });
}

async function* checked(batches: AsyncIterable<readonly FlatRow[]>, check: (row: FlatRow) => void) {
  for await (const rows of batches) {
    rows.forEach(check);
    yield rows;
  }
}

async function* csvOf(batches: AsyncIterable<readonly FlatRow[]>, columns: readonly Column[]) {
  yield headerLine(columns);
  for await (const rows of batches) {
    let text = '';
    for (const row of rows) text += csvLine(row, columns);
    yield text;
  }
}

async function* linesOf(batches: AsyncIterable<readonly FlatRow[]>, columns: readonly Column[]) {
  const names = namesOf(columns);
  for await (const rows of batches) {
    let text = '';
    for (const row of rows) text += jsonLine(row, names);
    yield text;
  }
}

/** Returns the header line of a CSV text (RFC 4180). */
export function headerLine(columns: readonly Column[]): string {
  const names = columns.map(({ name, item }) => (item ? `${name}_${item.at + 1}_${item.member}` : name));
  return `${joinCsvLine(names)}\r\n`;
}

export function csvLine(row: FlatRow, columns: readonly Column[]): string {
  return `${joinCsvLine(columns.map((column) => String(cellOf(row, column) ?? '')))}\r\n`;
}

/**
 * Returns a row as a line of JSON. `names` are the members of the row and of the objects in its lists, in
 * order.
 */
export function jsonLine(row: FlatRow, names: readonly string[]): string {
  return `${JSON.stringify(row, names as string[])}\n`;
}

function cellOf(row: FlatRow, { name, item }: Column): unknown {
  const value = row[name];
  return item && Array.isArray(value) ? value[item.at]?.[item.member] : value;
}
