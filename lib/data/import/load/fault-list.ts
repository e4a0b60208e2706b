import { ImportRefused, type RowFault } from './import-refused.ts';

/** The maximum number of errors in a report. Further errors are only counted. */
export const ERRORS_SHOWN_MAX = 100;
const VALUE_CHARACTERS_MAX = 100;

/** The faults of a file. Only the first faults are kept. */
export class FaultList {
  total = 0;
  #first: RowFault[] = [];

  add(fault: RowFault): void {
    this.total += 1;
    if (this.#first.length < ERRORS_SHOWN_MAX) this.#first.push(shortened(fault));
  }

  /**
   * Adds faults that a later check found. These faults may be in earlier lines than the faults added before. `total`
   * is the number of all faults that this check found.
   */
  merge(faults: readonly RowFault[], total: number): void {
    this.total += total;
    this.#first = [...this.#first, ...faults.map(shortened)]
      .sort((one, other) => one.line - other.line)
      .slice(0, ERRORS_SHOWN_MAX);
  }

  /**
   * Returns the refusal of the whole import. `file` names the file with the faults if the import has several
   * files.
   */
  refusal(file?: string): ImportRefused {
    const count = this.total === 1 ? '1 error' : `${this.total} errors`;
    const where = file === undefined ? '' : ` in ${file}`;
    return new ImportRefused('import_refused', `${count}${where}; nothing was loaded`, {
      errors: this.#first,
      errorsTotal: this.total,
    });
  }
}

/** Returns the refusal of a file that is not valid as a whole. */
export function refuseFile(line: number, faults: readonly Omit<RowFault, 'line'>[]): ImportRefused {
  const list = new FaultList();
  for (const fault of faults) list.add({ line, ...fault });
  return list.refusal();
}

function shortened(fault: RowFault): RowFault {
  const { value } = fault;
  return value === null || value.length <= VALUE_CHARACTERS_MAX
    ? fault
    : { ...fault, value: `${value.slice(0, VALUE_CHARACTERS_MAX)}...` };
}
