import { refuseFile } from './fault-list.ts';

/** Which columns a kind of file has. The order in the file is free. */
export type ColumnRules = {
  required: readonly string[];
  optional?: readonly string[];
  /** Known, and of no use here. */
  ignored?: readonly string[];
};

export type Columns = {
  /** Names in the order of the file. */
  names: readonly string[];
  /** Place of each column in a row. */
  at: ReadonlyMap<string, number>;
};

/** Reads a header line. Throws an `ImportRefused` that names every unknown, missing and repeated column. */
export function readHeader(names: readonly string[], rules: ColumnRules, line: number): Columns {
  const known = [...rules.required, ...(rules.optional ?? []), ...(rules.ignored ?? [])];
  const at = new Map(names.map((name, position) => [name, position]));
  const fault = (column: string, reason: string) => ({ column, value: null, reason });
  const faults = [
    ...[...at.keys()]
      .filter((name) => !known.includes(name))
      .map((name) => fault(name, `unknown column; known are ${known.join(', ')}`)),
    ...rules.required
      .filter((name) => !at.has(name))
      .map((name) => fault(name, 'required column is missing')),
    ...names
      .filter((name, position) => names.indexOf(name) < position)
      .map((name) => fault(name, 'column appears twice')),
  ];
  if (faults.length) throw refuseFile(line, faults);
  return { names, at };
}

/** Places of the given columns in a row, -1 for one that the file does not have. */
export function placesOf(columns: Columns, names: readonly string[]): number[] {
  return names.map((name) => columns.at.get(name) ?? -1);
}
