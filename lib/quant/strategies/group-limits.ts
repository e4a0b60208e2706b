import type { WeightLimits } from './limit-weights.ts';
import type { StrategyData } from './strategy-data.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';

/**
 * Returns the limits of the groups as they were known at the end of a day. A symbol without a sector or theme is in no
 * group.
 */
export function groupLimits(
  { group_max: max }: ResolvedStrategy['constraints'],
  { instruments, themes }: Pick<StrategyData, 'instruments' | 'themes'>,
  { symbols, day }: { symbols: readonly string[]; day: string },
): WeightLimits['groups'] {
  const groups: { members: readonly number[]; max: number }[] = [];
  const add = (groupOf: ReadonlyMap<string, string>, limit: number) => {
    const places = Map.groupBy(
      Array.from(symbols.keys()).filter((k) => groupOf.has(symbols[k]!)),
      (k) => groupOf.get(symbols[k]!)!,
    );
    for (const [, members] of [...places].sort(([one], [other]) => (one < other ? -1 : 1)))
      groups.push({ members, max: limit });
  };
  if (max.sector !== null) add(sectorsOn(instruments, day), max.sector);
  if (max.theme !== null) {
    const current = themes.findLast(({ since }) => since <= day);
    add(new Map(Object.entries(current?.themes ?? {})), max.theme);
  }
  return groups;
}

/** For each symbol, the last sector that was known by the end of a day. */
function sectorsOn(facts: StrategyData['instruments'], day: string): Map<string, string> {
  const sectors = new Map<string, string>();
  for (const { symbol, since, sector } of facts)
    if (sector !== null && since <= day) sectors.set(symbol, sector);
  return sectors;
}
