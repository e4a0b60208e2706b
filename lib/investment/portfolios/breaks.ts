import type { Cash, Position, Positions } from './positions.ts';

/** A control total that differs from what the events give. Quantities are shares times 10^8. */
export type Break =
  | { kind: 'position'; portfolio: string; symbol: string; stated: bigint; derived: bigint }
  | { kind: 'cash'; portfolio: string; currency: string; stated: bigint; derived: bigint };

/**
 * Compares control totals with positions and cash of the same day. Nothing is repaired. A total that is stated
 * although nothing is derived counts as different from 0. Where `isComplete`, each derived position without a total is
 * a break with 0 stated. The breaks are in code-unit order: positions, then cash.
 */
export function breaksOf(
  stated: { positions: readonly Position[]; cash: readonly Cash[]; isComplete: boolean },
  derived: Positions,
): Break[] {
  const shares = compare(
    stated.positions.map((each) => [each.portfolio, each.symbol, each.quantity]),
    derived.positions.map((each) => [each.portfolio, each.symbol, each.quantity]),
    stated.isComplete,
  );
  const cash = compare(
    stated.cash.map((each) => [each.portfolio, each.currency, each.amountMinor]),
    derived.cash.map((each) => [each.portfolio, each.currency, each.amountMinor]),
    stated.isComplete,
  );
  return [
    ...shares.map(({ key, ...rest }): Break => ({ kind: 'position', symbol: key, ...rest })),
    ...cash.map(({ key, ...rest }): Break => ({ kind: 'cash', currency: key, ...rest })),
  ];
}

type Total = readonly [portfolio: string, key: string, amount: bigint];

function compare(stated: readonly Total[], derived: readonly Total[], isComplete: boolean) {
  const nameOf = ([portfolio, key]: Total) => `${portfolio} ${key}`;
  const found = new Map(derived.map((each) => [nameOf(each), each]));
  const known = new Set(stated.map(nameOf));
  const rest = isComplete ? derived.filter((each) => !known.has(nameOf(each))) : [];
  return [
    ...stated.map((each) => ({ each, stated: each[2], derived: found.get(nameOf(each))?.[2] ?? 0n })),
    ...rest.map((each) => ({ each, stated: 0n, derived: each[2] })),
  ]
    .filter((pair) => pair.stated !== pair.derived)
    .toSorted((a, b) => (nameOf(a.each) < nameOf(b.each) ? -1 : 1))
    .map((pair) => ({
      portfolio: pair.each[0],
      key: pair.each[1],
      stated: pair.stated,
      derived: pair.derived,
    }));
}
