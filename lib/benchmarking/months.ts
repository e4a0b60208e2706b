import { DIFFERENCE_LEAST } from './differences.ts';
import { withheld, type Cell } from './disclosure.ts';

/** The number of earlier months with which the cells of a month are compared. */
export const MONTHS_COMPARED = 24;

/**
 * The figure of a group in a month. `stored` is the stored figure as a text. `rounded` returns the figure in the form
 * in which figures are published, and is called only if the stored figures of two months differ.
 */
export type Figure = { stored: string; rounded: () => string };
export type Figures = ReadonlyMap<string, Figure>;

/** A published cell with the figure of each of its groups. */
export type MonthCell = { key: string; figures: Figures };

/**
 * Withholds cells that would reveal figures of few groups to a reader of earlier months. If groups joined or left a
 * cohort and the figures of the other groups stayed equal, the difference of two months describes only the groups that
 * changed. Therefore, at least five groups must have joined, left or changed their rounded figures, unless no group
 * joined or left. The rule also applies to all cells of a classification together, such as all regions. While such a
 * classification violates it, its smallest cell is withheld; ties are decided by key.
 */
export function withholdChanges(
  cells: readonly Cell[],
  figures: Figures,
  earlier: readonly (readonly MonthCell[])[],
): Cell[] {
  const past = earlier.flatMap((month) => [...month, ...classificationsOf(month)]);
  const isSafe = (now: { figures: Figures }) => !past.some((then) => isolates(now.figures, then.figures));
  let kept = publishedOf(cells, figures).filter(isSafe);
  for (;;) {
    const fault = classificationsOf(kept).find((each) => !isSafe(each));
    if (!fault) break;
    const [smallest] = kept
      .filter(({ key }) => kindOf(key) === fault.key)
      .toSorted((one, other) => one.figures.size - other.figures.size || (one.key < other.key ? -1 : 1));
    kept = kept.filter((cell) => cell !== smallest);
  }
  const names = new Set(kept.map(({ key }) => key));
  return cells.map((cell) =>
    cell.reason !== null || names.has(cell.cohort) ? cell : withheld(cell.cohort, cell.groups, 'months'),
  );
}

/** Returns the published cells with the figures of their groups. A group without a figure is left out. */
export function publishedOf(
  cells: readonly Pick<Cell, 'cohort' | 'groups' | 'reason'>[],
  figures: Figures,
): MonthCell[] {
  return cells
    .filter(({ reason }) => reason === null)
    .map(({ cohort, groups }) => {
      const known = groups.flatMap((group) => {
        const figure = figures.get(group);
        return figure ? [[group, figure] as const] : [];
      });
      return { key: cohort, figures: new Map(known) };
    });
}

/** Whether one to four groups differ between two months, and at least one of them joined or left. */
function isolates(now: Figures, then: Figures): boolean {
  if (Math.abs(now.size - then.size) >= DIFFERENCE_LEAST) return false;
  let [moved, changed] = [0, 0];
  for (const [group, figure] of now) {
    const before = then.get(group);
    if (!before) moved += 1;
    else if (before.stored !== figure.stored && before.rounded() !== figure.rounded()) changed += 1;
    if (moved + changed >= DIFFERENCE_LEAST) return false;
  }
  const common = now.size - moved;
  moved += then.size - common;
  return moved > 0 && moved + changed < DIFFERENCE_LEAST;
}

/** Returns the union of the cells of each classification that has several. The key is the kind of the cells. */
function classificationsOf(cells: readonly MonthCell[]): MonthCell[] {
  return [...Map.groupBy(cells, ({ key }) => kindOf(key))]
    .filter(([, all]) => all.length > 1)
    .map(([key, all]) => ({ key, figures: new Map(all.flatMap(({ figures }) => [...figures])) }));
}

function kindOf(key: string): string {
  return key.split(':')[0]!;
}
