import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { joinCsvLine } from '../readers/csv-line.ts';

/**
 * A CSV file with the rows that an import skips: line number, reason, and the original row. The rows can be corrected
 * and imported again without the first two columns. The file gets its final name when it is complete. If no row is
 * skipped, no file is created.
 */
export class RejectsFile {
  readonly path: string;
  rows = 0;
  #header = '';
  #pending = '';
  #file: FileHandle | undefined;

  constructor(path: string) {
    this.path = path;
  }

  begin(names: readonly string[]): void {
    this.#header = `${joinCsvLine(['line', 'reason', ...names])}\n`;
  }

  add(line: number, reason: string, fields: readonly string[]): void {
    this.rows += 1;
    this.#pending += `${joinCsvLine([String(line), reason, ...fields])}\n`;
  }

  /** Writes the added rows to disk, to bound the memory. */
  async flush(): Promise<void> {
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    if (this.#file === undefined) {
      this.#file = await open(this.#partial, 'w');
      await this.#file.appendFile(this.#header);
    }
    await this.#file.appendFile(text);
  }

  async close(): Promise<void> {
    await this.flush();
    if (this.#file === undefined) return;
    await this.#file.close();
    this.#file = undefined;
    await rename(this.#partial, this.path);
  }

  /** Deletes the file after a refused import, because no rows were loaded at all. */
  async discard(): Promise<void> {
    if (this.#file === undefined) return;
    await this.#file.close();
    this.#file = undefined;
    await rm(this.#partial, { force: true });
  }

  get #partial(): string {
    return `${this.path}.partial`;
  }
}
