import { ImportRefused, type RowFault } from './import-refused.ts';

/** A report names so many errors and counts the others. */
export const ERRORS_SHOWN_MAX = 100;
const VALUE_CHARACTERS_MAX = 100;

/** The faults of a file, of which only the first are kept. */
export class FaultList {
  total = 0;
  #first: RowFault[] = [];

  add(fault: RowFault): void {
    this.total += 1;
    if (this.#first.length < ERRORS_SHOWN_MAX) this.#first.push(shortened(fault));
  }

  /** Adds faults that were found later than those of later lines; `total` says how many there are of their kind. */
  merge(faults: readonly RowFault[], total: number): void {
    this.total += total;
    this.#first = [...this.#first, ...faults.map(shortened)]
      .sort((one, other) => one.line - other.line)
      .slice(0, ERRORS_SHOWN_MAX);
  }

  /** The refusal of the whole import. `file` names the one with the faults where an import has several. */
  refusal(file?: string): ImportRefused {
    const count = this.total === 1 ? '1 error' : `${this.total} errors`;
    const where = file === undefined ? '' : ` in ${file}`;
    return new ImportRefused('import_refused', `${count}${where}; nothing was loaded`, {
      errors: this.#first,
      errorsTotal: this.total,
    });
  }
}

/** The refusal of a file that is wrong as a whole, whatever its rows are. */
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
