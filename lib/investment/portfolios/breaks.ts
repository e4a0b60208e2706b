import { compareText } from '#lib/core/compare-text.ts';
import type { Cash, Position, Positions } from './positions.ts';

/** A control total that differs from the total derived from the events. Quantities are shares times 10^8. */
export type Break =
  | { kind: 'position'; portfolio: string; symbol: string; stated: bigint; derived: bigint }
  | { kind: 'cash'; portfolio: string; currency: string; stated: bigint; derived: bigint };

/**
 * Compares control totals with positions and cash of the same day. Nothing is corrected. If no total is
 * derived, a stated total is compared with 0. If `isComplete` is true, a derived position without a control
 * total is a break with the stated total 0. The breaks are in code-unit order: positions, then cash.
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
    .toSorted((a, b) => compareText(nameOf(a.each), nameOf(b.each)))
    .map((pair) => ({
      portfolio: pair.each[0],
      key: pair.each[1],
      stated: pair.stated,
      derived: pair.derived,
    }));
}
