import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { FlatRow, Listing } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import { joinCsvLine } from '#lib/data/import/readers/csv-line.ts';
import { isHeld } from './etag.ts';
import { jsonText } from './json-text.ts';

/** The forms of a list and their media types. The first is that of who accepts anything. */
export const listForms = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const;

export type ListForm = keyof typeof listForms;

/** The form that the caller accepts best. Refuses with 406 who accepts none. */
export function formOf(ctx: Context): ListForm {
  ctx.vary('Accept');
  const best = ctx.accepts(...Object.values(listForms));
  for (const [form, type] of Object.entries(listForms)) if (type === best) return form as ListForm;
  throw new Problem('not_acceptable', `The list can be had as ${Object.values(listForms).join(', ')}.`);
}

export type ListingAnswer = {
  listing: Listing<unknown>;
  form: ListForm;
  /** What was asked, and of which release. With the version of the listing it stands for the representation. */
  requested: string;
  /** These throw on what the operation does not declare. */
  checkPage(body: unknown): void;
  checkRow(row: FlatRow): void;
  /** The members of a row, in their order. */
  names: readonly string[];
};

/**
 * Answers a list in one of its forms, or 304 to who holds it. The validator is made of what the answer is made from, so
 * that nothing is read for a 304, and it is known before the first row. An answer that fails on its way breaks off: its
 * last chunk is missing, which every client takes for an error.
 */
export async function answerListing(ctx: Context, answer: ListingAnswer): Promise<void> {
  const { listing, form, requested, checkPage, checkRow, names } = answer;
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
  const texts = form === 'csv' ? csvOf(batches, names) : linesOf(batches, names);
  ctx.body = Readable.from(texts, { objectMode: false });
}

async function* checked(batches: AsyncIterable<readonly FlatRow[]>, check: (row: FlatRow) => void) {
  for await (const rows of batches) {
    rows.forEach(check);
    yield rows;
  }
}

async function* csvOf(batches: AsyncIterable<readonly FlatRow[]>, names: readonly string[]) {
  yield headerLine(names);
  for await (const rows of batches) {
    let text = '';
    for (const row of rows) text += csvLine(row, names);
    yield text;
  }
}

async function* linesOf(batches: AsyncIterable<readonly FlatRow[]>, names: readonly string[]) {
  for await (const rows of batches) {
    let text = '';
    for (const row of rows) text += jsonLine(row, names);
    yield text;
  }
}

/** RFC 4180. */
export function headerLine(names: readonly string[]): string {
  return `${joinCsvLine(names)}\r\n`;
}

export function csvLine(row: FlatRow, names: readonly string[]): string {
  return `${joinCsvLine(names.map((name) => String(row[name] ?? '')))}\r\n`;
}

export function jsonLine(row: FlatRow, names: readonly string[]): string {
  return `${JSON.stringify(row, names as string[])}\n`;
}
