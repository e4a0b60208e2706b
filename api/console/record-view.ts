import { number } from './charts/scale.ts';
import { instant, pill, words } from './format.ts';
import { html, type Html, type Part } from './html.ts';
import { placeOfUid } from './records/places.ts';
import { table } from './table.ts';

/** The largest number of rows of a list that a page shows. The JSON download contains all of them. */
const ROWS_MAX = 50;
/** The largest number of columns of a table. Further members of a row are in the JSON download. */
const COLUMNS_MAX = 10;
const UID = /^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$/;
const DEPTH_MAX = 4;

/**
 * Shows any JSON value: an object as a list of its members, and a list of objects as a table. Long lists are shortened.
 */
export function recordView(value: unknown, depth = 0): Part {
  if (Array.isArray(value)) return listView(value, depth);
  if (typeof value !== 'object' || value === null) return scalarView(value);
  const members = Object.entries(value);
  if (members.length === 0) return '–';
  if (depth >= DEPTH_MAX) return html`<code class="cut">${JSON.stringify(value).slice(0, 200)}</code>`;
  return html`<dl class="record">
    ${members.map(
      ([name, member]) =>
        html`<div class="${isWide(member) && 'wide-member'}">
          <dt>${words(name)}</dt>
          <dd>${memberView(name, member, depth + 1)}</dd>
        </div>`,
    )}
  </dl>`;
}

function memberView(name: string, value: unknown, depth: number): Part {
  if (/^(state|status|governance_state|severity|verdict|outcome)$/.test(name) && typeof value === 'string')
    return pill(value);
  return recordView(value, depth);
}

function isWide(value: unknown): boolean {
  return typeof value === 'object' && value !== null && JSON.stringify(value).length > 60;
}

function listView(values: readonly unknown[], depth: number): Part {
  if (values.length === 0) return 'none';
  const shown = values.slice(0, ROWS_MAX);
  const rest = values.length - shown.length;
  const more = rest > 0 && html`<p class="dim more">${number(rest)} more in the JSON download</p>`;
  const rows = shown.filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  if (rows.length < shown.length)
    return html`${shown
      .map((value) => (typeof value === 'object' ? JSON.stringify(value)?.slice(0, 120) : shortScalar(value)))
      .join(', ')}${more}`;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row as object)))].slice(0, COLUMNS_MAX);
  const columns = names.map((name) => ({
    heading: words(name),
    isNumber: rows.every((row) => typeof memberOf(row, name) === 'number' || memberOf(row, name) === null),
    cell: (row: unknown): Part => cellView(name, memberOf(row, name), depth),
  }));
  return html`${table(names.map(words).join(', '), columns, rows, 'tight')}${more}`;
}

function memberOf(row: unknown, name: string): unknown {
  return (row as Readonly<Record<string, unknown>>)[name];
}

function cellView(name: string, value: unknown, depth: number): Part {
  if (typeof value === 'object' && value !== null) {
    const text = JSON.stringify(value);
    return html`<code class="cut" title="${text.slice(0, 1_000)}"
      >${text.slice(0, 60)}${text.length > 60 && '…'}</code
    >`;
  }
  return memberView(name, value, depth);
}

function scalarView(value: unknown): Html | string {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return instant(value);
  if (typeof value === 'string' && /^(?:sha256:)?[0-9a-f]{64}$/.test(value))
    return html`<span class="mono" title="${value}">${value.slice(0, 16)}…${value.slice(-8)}</span>`;
  if (typeof value === 'string' && UID.test(value)) {
    const place = placeOfUid(value);
    return place === undefined
      ? html`<span class="mono">${value}</span>`
      : html`<a class="mono" href="${place}">${value}</a>`;
  }
  return shortScalar(value);
}

function shortScalar(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  if (Number.isInteger(value)) return Math.abs(value) < 10_000 ? String(value) : number(value);
  return Math.abs(value) >= 1_000 ? number(value, 1) : String(Number(value.toPrecision(6))).replace('-', '−');
}
