import { DIFFERENCE_LEAST } from './differences.ts';

/** The number of earlier months with which the cells of a month are compared. */
export const MONTHS_COMPARED = 24;

/** A published cell, with the figure of each of its groups in the form in which figures are published. */
export type MonthCell = { key: string; figures: ReadonlyMap<string, string> };

/** A cell, or all cells of one classification together, with the keys of the cells. */
type Whole = { keys: readonly string[]; figures: ReadonlyMap<string, string> };

/**
 * Returns the cells that may be published in addition to the cells of earlier months. If groups joined or left a cohort and the
 * figures of the other groups stayed equal, the difference of two months describes only the groups that changed. At
 * least five groups must have joined, left or changed their figures, unless no group joined or left. The rule also
 * applies to all cells of a classification together, such as all regions. While some cells violate it, the smallest of
 * them is withheld; ties are decided by key.
 */
export function withholdChanges(
  cells: readonly MonthCell[],
  earlier: readonly (readonly MonthCell[])[],
): MonthCell[] {
  const past = earlier.flatMap(wholesOf);
  let kept = [...cells];
  for (;;) {
    const fault = wholesOf(kept).find(({ figures }) => past.some((old) => isolates(figures, old.figures)));
    if (!fault) return kept;
    const [smallest] = kept
      .filter(({ key }) => fault.keys.includes(key))
      .toSorted((one, other) => one.figures.size - other.figures.size || (one.key < other.key ? -1 : 1));
    kept = kept.filter((cell) => cell !== smallest);
  }
}

/** Whether one to four groups differ between two months, and at least one of them joined or left. */
function isolates(now: ReadonlyMap<string, string>, then: ReadonlyMap<string, string>): boolean {
  if (Math.abs(now.size - then.size) >= DIFFERENCE_LEAST) return false;
  let [moved, changed] = [0, 0];
  for (const [group, figure] of now) {
    const before = then.get(group);
    if (before === undefined) moved += 1;
    else if (before !== figure) changed += 1;
    if (moved + changed >= DIFFERENCE_LEAST) return false;
  }
  const common = now.size - moved;
  moved += then.size - common;
  return moved > 0 && moved + changed < DIFFERENCE_LEAST;
}

/** Returns the cells, and the union of the cells of each classification that has several. */
function wholesOf(cells: readonly MonthCell[]): Whole[] {
  const kinds = Map.groupBy(cells, ({ key }) => key.split(':')[0]!);
  return [
    ...cells.map(({ key, figures }) => ({ keys: [key], figures })),
    ...[...kinds.values()]
      .filter((all) => all.length > 1)
      .map((all) => ({
        keys: all.map(({ key }) => key),
        figures: new Map(all.flatMap(({ figures }) => [...figures])),
      })),
  ];
}
