import { asMembers, type Members } from './golden-file.ts';
import type { Tally } from './report.ts';

/** Compares lists entry by entry. A different number of entries is a failure. */
export function compareList(
  tally: Tally,
  name: string,
  expected: readonly unknown[],
  found: readonly Members[],
): void {
  tally.equal(`${name}.length`, expected.length, found.length);
  for (const [at, value] of expected.entries()) {
    if (found[at]) compare(tally, `${name}[${at}]`, asMembers(value, `${name}[${at}]`), found[at]);
  }
}

/**
 * Compares the members that the file has, as text, because the file may write an integer as a number or as
 * text.
 */
export function compare(tally: Tally, name: string, expected: Members, found: Members): void {
  for (const [member, value] of Object.entries(expected)) {
    const at = `${name}.${member}`;
    const actual = found[member];
    if (!Object.hasOwn(found, member)) tally.note(`${at} is not known`);
    else if (Array.isArray(value)) compareList(tally, at, value, actual as readonly Members[]);
    else if (typeof value === 'object' && value !== null)
      compareMap(tally, at, value as Members, actual as Members);
    else tally.equal(at, textOf(value), textOf(actual));
  }
}

function compareMap(tally: Tally, name: string, expected: Members, found: Members): void {
  tally.equal(
    `${name} (members)`,
    Object.keys(expected).toSorted().join(),
    Object.keys(found).toSorted().join(),
  );
  compare(tally, name, expected, found);
}

function textOf(value: unknown): unknown {
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;
}
