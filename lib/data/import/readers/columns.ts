import { plainName, type Aliases } from './aliases.ts';
import { refuseFile } from '../load/fault-list.ts';
import { NO_MAPPING, type Mapping } from './mapping.ts';

/** The columns of a kind of file, in any order. */
export type ColumnRules = {
  required: readonly string[];
  optional?: readonly string[];
  /** Columns that are recognised but not used. */
  ignored?: readonly string[];
  /** Other names of the columns. */
  aliases?: Aliases;
  /**
   * Columns whose value can be given once for the whole file by a command-line option, each with this option.
   */
  stated?: Readonly<Record<string, string>>;
  /** Columns with calendar days. */
  days?: readonly string[];
  /**
   * Recognises a wide file, with a column for each series, by its column names. Columns whose name is null are ignored.
   */
  spread?(names: readonly (string | null)[]): Spread | undefined;
};

/** A wide file: one column of days, and value columns whose names identify the series. */
export type Spread = { date: number; columns: readonly SpreadColumn[] };
export type SpreadColumn = {
  at: number;
  series: string;
  /**
   * The day at whose end the values became known, if the column contains a single vintage; otherwise
   * undefined.
   */
  knownAt: string | undefined;
};

export type Columns = {
  /** The names of the columns, in file order. */
  names: readonly string[];
  /** The position of each column in a row, by the name that Assay uses. */
  at: ReadonlyMap<string, number>;
  /** Values added to every row, after the fields of the file. */
  constants: readonly string[];
  spread?: Spread | undefined;
};

/** Columns that other programs add and that carry no data, such as the index of a data frame. */
const INDEXES = new Set(['unnamed_0', 'index_level_0']);

/**
 * Reads a header line with Assay's column names, their aliases, and the names of a mapping. Throws an `ImportRefused`
 * with every unknown, missing and repeated column.
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
      unknown.push(fault(name, `unknown column; known columns are ${known(rules).join(', ')}`));
    else if (meaning === null) continue;
    else if (other !== undefined)
      repeated.push(fault(name, `is a second column for ${meaning}, next to ${names[other]}`));
    else if (Object.hasOwn(mapping.constants, meaning))
      repeated.push(fault(name, `is a column for ${meaning}, but ${meaning} is also set for the whole file`));
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
    ...(isStatedTwice
      ? [
          fault(
            'series',
            'cannot be set for the whole file, because the columns of the file name their series',
          ),
        ]
      : []),
    ...Object.keys(mapping.columns)
      .filter((name) => !names.includes(name))
      .map((name) => fault(name, 'is mapped, but the file does not have this column')),
  ];
  if (faults.length) throw refuseFile(line, faults);
  return { names, at, constants: Object.values(mapping.constants), spread };
}

/** Returns the positions of columns in a row; -1 for a missing column. */
export function placesOf(columns: Columns, names: readonly string[]): number[] {
  return names.map((name) => columns.at.get(name) ?? -1);
}

type HeaderFault = { column: string; value: null; reason: string };

function fault(column: string, reason: string): HeaderFault {
  return { column, value: null, reason };
}

function missing(option: string | undefined): string {
  const other = option === undefined ? '' : `; set it for the whole file with ${option}`;
  return `required column is missing${other}`;
}

function known({ required, optional = [] }: ColumnRules): string[] {
  return [...required, ...optional];
}

/** Returns the mapped name of a column; null if the column is ignored. */
function mappedName(name: string, { columns }: Mapping): string | null {
  if (Object.hasOwn(columns, name)) return columns[name]!;
  return isIndex(name) ? null : name;
}

function isIndex(name: string): boolean {
  return name.trim() === '' || INDEXES.has(plainName(name));
}

/** Returns Assay's name for a column; null if the column is ignored, undefined if it is unknown. */
function meaningOf(name: string, rules: ColumnRules, { columns }: Mapping): string | null | undefined {
  if (Object.hasOwn(columns, name)) return columns[name]!;
  const ours = new Set([...known(rules), ...(rules.ignored ?? [])]);
  if (ours.has(name)) return name;
  const plain = plainName(name);
  if (ours.has(plain)) return plain;
  const [meaning] = Object.entries(rules.aliases ?? {}).find(([, others]) => others.includes(plain)) ?? [];
  return meaning ?? (isIndex(name) ? null : undefined);
}

/** Returns the meanings of the columns of a wide file. The first value column represents all value columns. */
function meaningsOfSpread(names: readonly string[], { date, columns }: Spread): (string | null)[] {
  return names.map((_, place) => (place === date ? 'date' : place === columns[0]!.at ? 'value' : null));
}
