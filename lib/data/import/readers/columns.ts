import { plainName, type Aliases } from './aliases.ts';
import { refuseFile } from '../load/fault-list.ts';
import { NO_MAPPING, type Mapping } from './mapping.ts';

/** Which columns a kind of file has. The order in the file is free. */
export type ColumnRules = {
  required: readonly string[];
  optional?: readonly string[];
  /** Known, and of no use here. */
  ignored?: readonly string[];
  /** What they are called elsewhere. */
  aliases?: Aliases;
  /** Those that a whole file may have in common, with the option that states it. */
  stated?: Readonly<Record<string, string>>;
  /** Those that hold calendar days. */
  days?: readonly string[];
  /** Recognises a file with a column for each of several series by its names; those that are null say nothing. */
  spread?(names: readonly (string | null)[]): Spread | undefined;
};

/** A file with a column of days and, beside it, columns of values whose names say what the values are of. */
export type Spread = { date: number; columns: readonly SpreadColumn[] };
export type SpreadColumn = {
  at: number;
  series: string;
  /** The day by whose end the values were known, of a column that holds one vintage. */
  knownAt: string | undefined;
};

export type Columns = {
  /** Names in the order of the file. */
  names: readonly string[];
  /** Place of each column in a row, under our name for it. */
  at: ReadonlyMap<string, number>;
  /** What every row has beside the fields of the file; their places are behind those. */
  constants: readonly string[];
  spread?: Spread | undefined;
};

/** Columns that programs write and that say nothing: the index of a data frame. */
const INDEXES = new Set(['unnamed_0', 'index_level_0']);

/**
 * Reads a header line: our own names, those of the table of aliases, and those that a mapping gives a meaning. Throws
 * an `ImportRefused` that names every unknown, missing and repeated column.
 */
export function readHeader(
  names: readonly string[],
  rules: ColumnRules,
  line: number,
  mapping: Mapping = NO_MAPPING,
): Columns {
  const spread = rules.spread?.(names.map((name) => mappedName(name, mapping)));
  const meanings = spread
    ? meaningsOfSpread(names, spread)
    : names.map((name) => meaningOf(name, rules, mapping));
  const at = new Map<string, number>();
  const unknown: HeaderFault[] = [];
  const repeated: HeaderFault[] = [];
  for (const [place, meaning] of meanings.entries()) {
    const name = names[place]!;
    const other = at.get(meaning ?? '');
    if (names.indexOf(name) < place) repeated.push(fault(name, 'column appears twice'));
    else if (meaning === undefined)
      unknown.push(fault(name, `unknown column; known are ${known(rules).join(', ')}`));
    else if (meaning === null) continue;
    else if (other !== undefined)
      repeated.push(fault(name, `is ${meaning}, and so is the column ${names[other]}`));
    else if (Object.hasOwn(mapping.constants, meaning))
      repeated.push(fault(name, `is ${meaning}, which is stated beside the file as well`));
    else at.set(meaning, place);
  }
  for (const [place, name] of Object.keys(mapping.constants).entries()) at.set(name, names.length + place);
  const isStatedTwice = spread !== undefined && at.has('series');
  const faults = [
    ...unknown,
    ...rules.required
      .filter((name) => !meanings.includes(name) && !at.has(name) && !(spread && name === 'series'))
      .map((name) => fault(name, missing(rules.stated?.[name]))),
    ...repeated,
    ...(isStatedTwice ? [fault('series', 'is stated beside the file, whose columns name their series')] : []),
    ...Object.keys(mapping.columns)
      .filter((name) => !names.includes(name))
      .map((name) => fault(name, 'is mapped, and the file has no such column')),
  ];
  if (faults.length) throw refuseFile(line, faults);
  return { names, at, constants: Object.values(mapping.constants), spread };
}

/** Places of the given columns in a row, -1 for one that the file does not have. */
export function placesOf(columns: Columns, names: readonly string[]): number[] {
  return names.map((name) => columns.at.get(name) ?? -1);
}

type HeaderFault = { column: string; value: null; reason: string };

function fault(column: string, reason: string): HeaderFault {
  return { column, value: null, reason };
}

function missing(option: string | undefined): string {
  const other = option === undefined ? '' : `; ${option} states it for the whole file`;
  return `required column is missing${other}`;
}

function known({ required, optional = [] }: ColumnRules): string[] {
  return [...required, ...optional];
}

/** What a mapping makes of a name, if anything; null for one that says nothing. */
function mappedName(name: string, { columns }: Mapping): string | null {
  if (Object.hasOwn(columns, name)) return columns[name]!;
  return isIndex(name) ? null : name;
}

function isIndex(name: string): boolean {
  return name.trim() === '' || INDEXES.has(plainName(name));
}

/** Our name for a column; null for one to be left out, undefined for one that is unknown. */
function meaningOf(name: string, rules: ColumnRules, { columns }: Mapping): string | null | undefined {
  if (Object.hasOwn(columns, name)) return columns[name]!;
  const ours = new Set([...known(rules), ...(rules.ignored ?? [])]);
  if (ours.has(name)) return name;
  const plain = plainName(name);
  if (ours.has(plain)) return plain;
  const [meaning] = Object.entries(rules.aliases ?? {}).find(([, others]) => others.includes(plain)) ?? [];
  return meaning ?? (isIndex(name) ? null : undefined);
}

/** Its first column of values stands for all. */
function meaningsOfSpread(names: readonly string[], { date, columns }: Spread): (string | null)[] {
  return names.map((_, place) => (place === date ? 'date' : place === columns[0]!.at ? 'value' : null));
}
