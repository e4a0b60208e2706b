import { label, number, svg } from './scale.ts';

/** The correlation at which the colour is deepest. */
const DEEPEST = 0.8;
const LABEL_WIDTH = 142;

/**
 * Draws a correlation matrix. Blue is a positive and orange a negative correlation. Rows are ordered so that similar rows
 * are neighbours.
 */
export function heat(names: readonly string[], matrix: readonly (readonly number[])[], cell = 15): string {
  const order = seriate(matrix);
  const size = names.length * cell;
  const cells = order.flatMap((row, top) =>
    order.map((column, left) => {
      const value = matrix[row]![column]!;
      const depth = Math.min(8, Math.round((Math.abs(value) * 8) / DEEPEST));
      const tone = top === left ? 'self' : `${value < 0 ? 'n' : 'p'}${depth}`;
      return `<rect class="h-${tone}" x="${LABEL_WIDTH + left * cell}" y="${top * cell}" width="${cell - 1}" height="${cell - 1}"><title>${label(names[row]!)} and ${label(names[column]!)}: ${number(value, 2)}</title></rect>`;
    }),
  );
  const rows = order.map(
    (row, top) =>
      `<text class="tick" text-anchor="end" x="${LABEL_WIDTH - 6}" y="${top * cell + cell / 2 + 3.5}">${label(names[row]!)}</text>`,
  );
  return svg({ width: LABEL_WIDTH + size, height: size }, [...cells, ...rows], 'Correlation matrix');
}

/** Returns an order of the rows in which neighbours are similar: a chain that grows at both ends, from the closest pair. */
export function seriate(matrix: readonly (readonly number[])[]): number[] {
  const left = new Set(matrix.keys());
  if (left.size < 3) return [...left];
  let [first, second, most] = [0, 1, -Infinity];
  for (const row of left) {
    for (const column of left) {
      if (row < column && matrix[row]![column]! > most)
        [first, second, most] = [row, column, matrix[row]![column]!];
    }
  }
  const chain = [first, second];
  for (const row of chain) left.delete(row);
  const closest = (end: number): number =>
    [...left].reduce((best, row) => (matrix[end]![row]! > matrix[end]![best]! ? row : best));
  while (left.size) {
    const [head, tail] = [closest(chain[0]!), closest(chain.at(-1)!)];
    const isHead = matrix[chain[0]!]![head]! > matrix[chain.at(-1)!]![tail]!;
    if (isHead) chain.unshift(head);
    else chain.push(tail);
    left.delete(isHead ? head : tail);
  }
  return chain;
}
