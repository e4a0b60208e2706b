import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';

export const columnTypes = ['number', 'integer', 'boolean', 'date', 'entity'] as const;
export type ColumnType = (typeof columnTypes)[number];

/** Whether a column contains numbers. A date or entity column identifies a row and has no unit. */
export function isNumeric({ type }: { type: ColumnType }): boolean {
  return type !== 'date' && type !== 'entity';
}

export const COLUMNS_MAX = 1_000;
const NAME_PATTERN = '^[A-Za-z_][A-Za-z0-9_.-]{0,63}$';
const NAME = new RegExp(NAME_PATTERN);

/** The content of the file that describes the columns of a numeric dataset. */
export const NumericColumns = Type.Array(
  Closed({
    name: Type.String({ pattern: NAME_PATTERN }),
    type: Type.Optional(Type.Enum([...columnTypes])),
    unit: Type.Optional(Type.String({ minLength: 1, maxLength: 64, pattern: '^\\S(.*\\S)?$' })),
  }),
  { minItems: 1, maxItems: COLUMNS_MAX },
);

export type StatedColumns = Static<typeof NumericColumns>;

export type NumericColumn = { name: string; type: ColumnType; unit: string | null };

/**
 * Returns the columns of a file from its header. Without a stated type, `date` is a date, `entity` and
 * `symbol` are the entity, and all other columns are numbers. Returns a reason as text if the columns do not
 * form a numeric dataset.
 */
export function columnsOf(header: readonly string[], stated: StatedColumns = []): NumericColumn[] | string {
  const columns = header.map((name): NumericColumn => {
    const said = stated.find((column) => column.name === name);
    return { name, type: said?.type ?? typeByName(name), unit: said?.unit ?? null };
  });
  const unnamed = header.find((name) => !NAME.test(name));
  if (unnamed !== undefined) return `${JSON.stringify(unnamed)} is not a valid column name`;
  if (new Set(header).size < header.length) return 'a column appears twice';
  if (header.length > COLUMNS_MAX) return `there are more than ${COLUMNS_MAX} columns`;
  const missing = stated.find(({ name }) => !header.includes(name));
  if (missing) return `the file has no column ${missing.name}`;
  for (const type of ['date', 'entity'] as const) {
    if (columns.filter((column) => column.type === type).length > 1) return `two columns are of type ${type}`;
  }
  const odd = columns.find((column) => !isNumeric(column) && column.unit !== null);
  if (odd) return `the column ${odd.name} has a unit but no numbers`;
  return columns.some(isNumeric) ? columns : 'no column contains numbers';
}

function typeByName(name: string): ColumnType {
  if (name === 'date') return 'date';
  return name === 'entity' || name === 'symbol' ? 'entity' : 'number';
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

/** Reads a field of a numeric column; null if it is empty. Returns the reason as text if the field is not valid. */
export function readNumber(text: string, type: ColumnType): number | null | string {
  if (text === '') return null;
  if (type === 'boolean') {
    if (text === 'true' || text === '1') return 1;
    return text === 'false' || text === '0' ? 0 : 'is not one of true, false, 1, 0';
  }
  const number = NUMBER.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(number)) return 'is not a number such as -28.7 or 1e-3';
  if (type === 'integer' && !Number.isSafeInteger(number)) return 'is not an integer';
  return number === 0 ? 0 : number; // replaces -0 by 0
}

/**
 * A decimal in the form in which JavaScript writes its number: without superfluous zeros and, from 0.000001 on, without an
 * exponent. This holds for up to 15 digits, because the doubles of such decimals are all different.
 */
const OWN_FORM = /^(?:0|-?(?:[1-9]\d*(?:\.\d*[1-9])?|0\.(?!0{6})\d*[1-9]))$/;
const OWN_FORM_CHARACTERS_MAX = 15;

/**
 * Reads a field as `readNumber` does, and returns the number as the text that JavaScript writes. Numbers in this form are
 * not converted.
 */
export function readNumberText(text: string, type: ColumnType): string | { fault: string } {
  if (type === 'number' && text.length <= OWN_FORM_CHARACTERS_MAX && OWN_FORM.test(text)) return text;
  const number = readNumber(text, type);
  return typeof number === 'string' ? { fault: number } : String(number);
}
