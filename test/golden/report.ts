/**
 * The report of a golden check. A **case** is one vector or one run of a model; a **comparison** is one value
 * of the case (a number, a text, a hash). A **failure** is a comparison whose values differ by more than the
 * tolerance.
 */
export type Report = {
  cases: number;
  comparisons: number;
  /** The comparison of numbers with the largest relative difference; undefined if all were equal. */
  worst: Difference | undefined;
  failures: Failure[];
  /** The parts of the file that were not compared, with the reason. */
  notes: string[];
  /** Further lines of the report, such as scores. */
  lines?: string[];
};

export type Difference = { name: string; absolute: number; relative: number };

export type Failure = { name: string; expected: string; actual: string };

/** Reports that the call or the golden file is at fault, and not Assay's numerics. */
export class GoldenFileError extends Error {
  override readonly name = 'GoldenFileError';
}

/** Collects comparisons into a report. */
export class Tally {
  readonly report: Report = { cases: 0, comparisons: 0, worst: undefined, failures: [], notes: [] };

  case(): void {
    this.report.cases += 1;
  }

  note(text: string): void {
    this.report.notes.push(text);
  }

  /** Compares texts, hashes, booleans and nulls, which must be equal. */
  equal(name: string, expected: unknown, actual: unknown): void {
    this.report.comparisons += 1;
    if (expected !== actual) this.fail(name, shown(expected), shown(actual));
  }

  /** Compares numbers, which must be equal within `tolerance`. The tolerance is relative and 0 by default. */
  number(name: string, expected: number, actual: number, tolerance = 0): void {
    this.report.comparisons += 1;
    const difference = differenceOf(name, expected, actual);
    this.keepWorst(difference);
    if (!(difference.relative <= tolerance)) this.fail(name, String(expected), String(actual));
  }

  /**
   * Compares doubles by their bits, as 16 hex digits: the sign of zero counts, and any NaN equals any other
   * NaN.
   */
  bits(name: string, expectedHex: string, actual: number): void {
    this.report.comparisons += 1;
    const expected = doubleOfHex(expectedHex, name);
    this.keepWorst(differenceOf(name, expected, actual));
    if (!Object.is(expected, actual)) {
      this.fail(name, `${hexOfDouble(expected)} (${expected})`, `${hexOfDouble(actual)} (${actual})`);
    }
  }

  fail(name: string, expected: string, actual: string): void {
    this.report.failures.push({ name, expected, actual });
  }

  private keepWorst(difference: Difference): void {
    if (difference.relative > (this.report.worst?.relative ?? 0)) this.report.worst = difference;
  }
}

/** Returns the double of 16 hex digits, most significant byte first. */
export function doubleOfHex(hex: string, name: string): number {
  if (!/^[0-9a-f]{16}$/i.test(hex))
    throw new GoldenFileError(`${name}: ${shown(hex)} is not the hex of a double`);
  return Buffer.from(hex, 'hex').readDoubleBE();
}

function hexOfDouble(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes.toString('hex');
}

function differenceOf(name: string, expected: number, actual: number): Difference {
  if (expected === actual || (Number.isNaN(expected) && Number.isNaN(actual))) {
    return { name, absolute: 0, relative: 0 };
  }
  const absolute = Math.abs(expected - actual);
  const relative = absolute / Math.abs(expected);
  return Number.isFinite(absolute)
    ? { name, absolute, relative: Number.isNaN(relative) ? Infinity : relative }
    : { name, absolute: Infinity, relative: Infinity };
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
