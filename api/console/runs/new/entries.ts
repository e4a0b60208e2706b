import type { Fault } from '#lib/core/problem.ts';
import { escapePointer } from '../../../derive/faults.ts';
import type { Field, ScalarType } from './fields.ts';

/** The texts of a form, by the JSON pointer of their member. */
export type Entries = Readonly<Record<string, string>>;

/** The request that a form states. `placeOf` returns the pointer of a member in the form from that in the request. */
export type Stated = {
  readonly request: Readonly<Record<string, unknown>>;
  /** The faults of texts that state no value, such as a text that is not JSON. */
  readonly faults: readonly Fault[];
  placeOf(pointer: string): string;
};

/** The most rows that a form has for a list of objects. */
export const ROWS_MAX = 50;
/** The most values of a list that is entered one a line. */
const LINES_MAX = 1_000;

type Reading = { entries: Entries; faults: Fault[]; moved: [from: string, to: string][] };

/**
 * Returns the request that the texts of a form state. An empty text states nothing, and a member without a value is
 * left out. A text that is not a number stays a text, so that the check of the request names its fault.
 */
export function requestOf(fields: readonly Field[], entries: Entries): Stated {
  const reading: Reading = { entries, faults: [], moved: [] };
  const request = objectOf(fields, '', reading);
  return {
    request: request ?? {},
    faults: reading.faults,
    placeOf(pointer) {
      const found = reading.moved.find(([from]) => `${pointer}/`.startsWith(`${from}/`));
      return found ? found[1] + pointer.slice(found[0].length) : pointer;
    },
  };
}

/** Returns an object of the members that have a value; undefined if there is none. */
function objectOf(
  fields: readonly Field[],
  pointer: string,
  reading: Reading,
): Record<string, unknown> | undefined {
  const members: [string, unknown][] = [];
  let isEmpty = true;
  for (const field of fields) {
    const value = valueOf(field, pointerTo(pointer, field), reading);
    if (value === undefined) continue;
    members.push([field.member, value]);
    if (field.kind !== 'constant') isEmpty = false;
  }
  return isEmpty && pointer !== '' ? undefined : Object.fromEntries(members);
}

function valueOf(field: Field, pointer: string, reading: Reading): unknown {
  const text = (reading.entries[pointer] ?? '').trim();
  switch (field.kind) {
    case 'constant':
      return field.isRequired ? field.value : undefined;
    case 'scalar':
      return text === '' ? undefined : scalarOf(field.type, text);
    case 'truth':
      return text === '' ? undefined : text === 'true' ? true : text === 'false' ? false : text;
    case 'choice':
      return text === '' ? undefined : (field.values.find((value) => String(value) === text) ?? text);
    case 'choices': {
      const chosen = field.values.filter((_, index) => reading.entries[`${pointer}/${index}`] !== undefined);
      return chosen.length === 0 ? undefined : chosen;
    }
    case 'lines':
      return linesOf(field.type, text);
    case 'group':
      return objectOf(field.fields, pointer, reading) ?? (field.isRequired ? {} : undefined);
    case 'rows':
      return rowsOf(field.fields, pointer, reading);
    case 'json':
      return text === '' ? undefined : jsonOf(text, pointer, reading);
  }
}

/** Returns the values of a text, one a line. A comma also separates numbers, but may be part of a text. */
function linesOf(type: ScalarType, text: string): (string | number)[] | undefined {
  if (text === '') return undefined;
  const lines = text.split(type === 'string' ? '\n' : /[\n,]/, LINES_MAX + 1).map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => scalarOf(type, line));
}

/** Returns the rows that have a value. Faults of a later row keep the number of the row in the form. */
function rowsOf(fields: readonly Field[], pointer: string, reading: Reading): unknown[] | undefined {
  const rows: unknown[] = [];
  for (let index = 0; index < ROWS_MAX; index++) {
    const row = objectOf(fields, `${pointer}/${index}`, reading);
    if (row === undefined) continue;
    reading.moved.push([`${pointer}/${rows.length}`, `${pointer}/${index}`]);
    rows.push(row);
  }
  return rows.length === 0 ? undefined : rows;
}

function scalarOf(type: ScalarType, text: string): string | number {
  if (type === 'string') return text;
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : text;
}

function jsonOf(text: string, pointer: string, { faults }: Reading): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    faults.push({ pointer, in: 'body', code: 'json', message: 'must be valid JSON' });
    return undefined;
  }
}

/** Returns the texts with which a form states a request. The inverse of `requestOf`. */
export function entriesOf(
  fields: readonly Field[],
  request: Readonly<Record<string, unknown>>,
  pointer = '',
): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const field of fields) {
    const value = request[field.member];
    if (value === undefined || value === null || field.kind === 'constant') continue;
    Object.assign(entries, entriesOfValue(field, value, pointerTo(pointer, field)));
  }
  return entries;
}

function entriesOfValue(field: Field, value: unknown, pointer: string): Record<string, string> {
  if (field.kind === 'group' && isRecord(value)) return entriesOf(field.fields, value, pointer);
  if (!Array.isArray(value))
    return { [pointer]: field.kind === 'json' ? JSON.stringify(value, null, 2) : String(value) };
  if (field.kind === 'lines') return { [pointer]: value.join('\n') };
  if (field.kind === 'choices')
    return Object.fromEntries(
      field.values.flatMap((each, index) =>
        value.includes(each) ? [[`${pointer}/${index}`, String(each)]] : [],
      ),
    );
  if (field.kind === 'rows')
    return Object.assign(
      {},
      ...value.map((row, index) =>
        isRecord(row) ? entriesOf(field.fields, row, `${pointer}/${index}`) : {},
      ),
    ) as Record<string, string>;
  return { [pointer]: JSON.stringify(value, null, 2) };
}

/** Returns the pointer of a field below the pointer of its object. */
export function pointerTo(pointer: string, { member }: Field): string {
  return `${pointer}/${escapePointer(member)}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
