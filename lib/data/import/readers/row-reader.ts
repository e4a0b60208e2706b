import type { Hash } from 'node:crypto';
import { placesOf, readHeader, type ColumnRules, type Columns } from './columns.ts';
import { splitCsvLine } from './csv-line.ts';
import { lineBlocks } from './csv-source.ts';
import type { ReadProgress } from './line-block.ts';
import { dateReader, type DateReader } from './date-format.ts';
import { FaultList, refuseFile } from '../load/fault-list.ts';
import type { Mapping } from './mapping.ts';
import type { RejectsFile } from '../load/rejects-file.ts';

/** Reports an error in a field. */
export type Report = (column: string, value: string, reason: string) => void;

/**
 * Parses the fields of a line. Returns a row, or an array of rows if a line can contain none or several. Reports
 * errors; if there are any, returns `undefined`.
 */
export type RowParser<Row> = (
  fields: readonly string[],
  line: number,
  report: Report,
) => Row | Row[] | undefined;

export type RowReading<Row> = {
  path: string;
  rules: ColumnRules;
  /** The mapping of the columns, if the file has foreign names. */
  mapping?: Mapping | undefined;
  parser(columns: Columns): RowParser<Row>;
  /** The file that receives the rejected rows. Without it, they are only counted and listed. */
  rejects?: RejectsFile | undefined;
  hash?: Hash | undefined;
  onProgress?: ((progress: ReadProgress & { rows: number }) => void) | undefined;
};

/**
 * Reads the rows of a CSV or Parquet file with a header. Empty lines are ignored. A rejected row is counted
 * and listed among the faults, and reading continues.
 */
export class RowReader<Row> {
  /** The number of rows in the file, including rejected rows. */
  read = 0;
  rejected = 0;
  /** The number of lines in which every field is empty. */
  silent = 0;
  readonly faults = new FaultList();
  columns: Columns | undefined;
  readonly #reading: RowReading<Row>;
  #parse: RowParser<Row> | undefined;
  #reasons: string[] = [];
  #line = 0;
  #isTyped = false;
  #daysAt: number[] = [];
  #readDay: DateReader | undefined;

  constructor(reading: RowReading<Row>) {
    this.#reading = reading;
  }

  /**
   * Yields the valid rows in batches. Throws an `ImportRefused` if the file is not valid as a whole or has no
   * rows.
   */
  async *batches(): AsyncGenerator<Row[]> {
    const { path, hash, onProgress, rejects } = this.#reading;
    const progress = onProgress && ((read: ReadProgress) => onProgress({ ...read, rows: this.read }));
    for await (const block of lineBlocks(path, { hash, onProgress: progress })) {
      const rows: Row[] = [];
      for (let at = 0; at < block.lines.length; at++) {
        const text = block.lines[at]!;
        if (text === '') continue;
        this.#line = block.firstLine + at;
        this.#isTyped = block.isTyped ?? false;
        const row = this.#readLine(text, block.undecodable.has(at));
        if (Array.isArray(row)) rows.push(...row);
        else if (row !== undefined) rows.push(row);
      }
      await rejects?.flush();
      if (rows.length) yield rows;
    }
    if (this.#parse === undefined) throw refuseFile(1, [fileFault('the file is empty')]);
    if (this.read === 0) throw refuseFile(this.#line, [fileFault('the file has a header but no rows')]);
  }

  #readLine(text: string, isUndecodable: boolean): Row | Row[] | undefined {
    const fields = isUndecodable ? undefined : splitCsvLine(text);
    if (this.#parse === undefined) {
      this.#openWith(fields, isUndecodable);
      return undefined;
    }
    this.read += 1;
    const width = this.columns!.names.length;
    if (fields?.length === width) {
      const completed = this.#complete(fields);
      const row = completed && this.#parse(completed, this.#line, this.#report);
      if (row === undefined) this.#reject(fields);
      else if (Array.isArray(row)) this.#count(row.length);
      return row;
    }
    if (fields) this.#note(null, null, `has ${fields.length} fields, but the header has ${width}`);
    else this.#note(null, text, lineFault(isUndecodable));
    this.#reject(fields ?? [text]);
    return undefined;
  }

  #openWith(names: readonly string[] | undefined, isUndecodable: boolean): void {
    if (names === undefined) throw refuseFile(this.#line, [fileFault(lineFault(isUndecodable))]);
    const { rules, mapping } = this.#reading;
    this.columns = readHeader(names, rules, this.#line, mapping);
    if (mapping?.dateFormat !== undefined || this.#isTyped) {
      this.#readDay = this.#dayReader();
      this.#daysAt = placesOf(this.columns, rules.days ?? []).filter((at) => at >= 0 && at < names.length);
    }
    this.#reading.rejects?.begin(names);
    this.#parse = this.#reading.parser(this.columns);
  }

  /**
   * Adds the constants of every row, and converts days to YYYY-MM-DD. Returns undefined if a day does not match its
   * format.
   */
  #complete(fields: string[]): readonly string[] | undefined {
    const { constants } = this.columns!;
    if (constants.length === 0 && this.#readDay === undefined) return fields;
    const completed = [...fields, ...constants];
    let isValid = true;
    for (const at of this.#daysAt) {
      const text = fields[at]!;
      const day = text === '' ? text : this.#readDay!(text);
      if (day !== undefined) completed[at] = day;
      else {
        isValid = false;
        this.#note(
          this.columns!.names[at]!,
          text,
          `is not a day in the format ${this.#reading.mapping!.dateFormat}`,
        );
      }
    }
    return isValid ? completed : undefined;
  }

  /** Reads days. Data frames store a day as the moment at which the day begins, so such a moment is read as the day. */
  #dayReader(): DateReader {
    const { dateFormat } = this.#reading.mapping ?? {};
    const ofFormat: DateReader = dateFormat === undefined ? (text) => text : dateReader(dateFormat);
    if (!this.#isTyped) return ofFormat;
    return (text) => /^(\d{4}-\d{2}-\d{2})(?:T00:00:00Z?)?$/.exec(text)?.[1] ?? ofFormat(text);
  }

  /** Counts the rows of a line with several observations. */
  #count(rows: number): void {
    if (rows === 0) this.silent += 1;
    else this.read += rows - 1;
  }

  #report: Report = (column, value, reason) => this.#note(column, value, reason);

  #note(column: string | null, value: string | null, reason: string): void {
    this.faults.add({ line: this.#line, column, value, reason });
    this.#reasons.push(column === null ? reason : `${column} ${reason}`);
  }

  #reject(fields: readonly string[]): void {
    this.rejected += 1;
    this.#reading.rejects?.add(this.#line, this.#reasons.join('; '), fields);
    this.#reasons = [];
  }
}

function lineFault(isUndecodable: boolean): string {
  return isUndecodable ? 'is not valid UTF-8' : 'has a quote that does not open and close a whole field';
}

function fileFault(reason: string) {
  return { column: null, value: null, reason };
}
