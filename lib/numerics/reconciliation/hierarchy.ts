/** A total and its parts, as indices of series. */
export type Sum = { total: number; parts: readonly number[] };

/**
 * The structure of series that add up. A leaf is a series that is not a total. `coefficients` has a row per series:
 * how often each leaf, in the order of `leaves`, counts in it. `order` lists the totals so that every total follows its
 * parts, each with the parts of the first sum that names it.
 */
export type Hierarchy = {
  leaves: readonly number[];
  coefficients: readonly Float64Array[];
  order: readonly Sum[];
};

/**
 * The reason why sums form no hierarchy, at the index of a sum: `circle` if a series is a part of itself, `contradiction`
 * if two sums of the same total contain different leaves.
 */
export type HierarchyFault = { code: 'circle' | 'contradiction'; at: number };

/**
 * Returns the hierarchy of `series` series under the sums. A total may have several sums, such as one by region and one
 * by product, if all of them come down to the same leaves.
 */
export function hierarchyOf(
  series: number,
  sums: readonly Sum[],
): { ok: true; hierarchy: Hierarchy } | { ok: false; fault: HierarchyFault } {
  const ofTotal = new Map<number, number[]>();
  for (const [at, { total }] of sums.entries()) ofTotal.set(total, [...(ofTotal.get(total) ?? []), at]);
  const leaves = Array.from({ length: series }, (_, index) => index).filter((index) => !ofTotal.has(index));
  const coefficients = new Map<number, Float64Array>(
    leaves.map((leaf, at) => [leaf, Float64Array.from(leaves, (_, other) => (other === at ? 1 : 0))]),
  );
  const order: Sum[] = [];

  // Each pass expands the totals whose parts are all expanded. There are at most as many passes as levels.
  let waiting = [...ofTotal.entries()];
  while (waiting.length > 0) {
    const ready = waiting.filter(([, own]) =>
      own.every((at) => sums[at]!.parts.every((part) => coefficients.has(part))),
    );
    if (ready.length === 0) {
      const stuck = waiting.flatMap(([, own]) => own).filter((at) => isOnCircle(sums, at));
      return { ok: false, fault: { code: 'circle', at: Math.min(...stuck) } };
    }
    for (const [total, own] of ready) {
      const [first, ...others] = own.map((at) =>
        added(sums[at]!.parts.map((part) => coefficients.get(part)!)),
      );
      const other = others.findIndex((each) => each.some((count, leaf) => count !== first![leaf]));
      if (other >= 0) return { ok: false, fault: { code: 'contradiction', at: own[other + 1]! } };
      coefficients.set(total, first!);
      order.push(sums[own[0]!]!);
    }
    waiting = waiting.filter(([total]) => !coefficients.has(total));
  }
  const rows = Array.from({ length: series }, (_, index) => coefficients.get(index)!);
  return { ok: true, hierarchy: { leaves, coefficients: rows, order } };
}

/** Whether the total of a sum is a part of itself, directly or through other sums. */
function isOnCircle(sums: readonly Sum[], at: number): boolean {
  const start = sums[at]!.total;
  const seen = new Set<number>();
  const next = [...sums[at]!.parts];
  for (let series = next.pop(); series !== undefined; series = next.pop()) {
    if (series === start) return true;
    if (seen.has(series)) continue;
    seen.add(series);
    for (const { total, parts } of sums) if (total === series) next.push(...parts);
  }
  return false;
}

function added(rows: readonly Float64Array[]): Float64Array {
  const total = new Float64Array(rows[0]!.length);
  for (const row of rows) for (const [leaf, count] of row.entries()) total[leaf]! += count;
  return total;
}
