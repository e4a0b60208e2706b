import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { joinCsvLine } from '../readers/csv-line.ts';

/**
 * The rows that an import leaves out, as a CSV file: line number, reason, and the row as it was, so that it can be
 * mended and imported again without the first two columns. It takes its name when it is whole; without a row there is
 * no file.
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

  /** Writes what was added, so that it does not pile up in memory. */
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

  /** For an import that was refused as a whole: no row was left out of anything. */
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
