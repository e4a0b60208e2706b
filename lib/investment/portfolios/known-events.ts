import { compareText } from '#lib/core/compare-text.ts';
import { addDays } from '#lib/core/date.ts';
import { EventPlaces } from './event-places.ts';
import type { PortfolioEvent, SplitAction } from './portfolio-event.ts';

/** Two versions of one event that have different contents and are known from the same instant. */
export type EventConflict = {
  code: 'event_conflict';
  portfolio: string;
  reference: string;
  on: string;
};

export type KnownEvents = { events: readonly PortfolioEvent[]; conflicts: EventConflict[] };

/**
 * Returns, for each event, the latest version that was known at the end of a day (UTC). Withdrawn events and
 * events traded after the day are left out. Two versions with different contents that are known from the same
 * instant are a conflict. In this case the version whose content is first in code-unit order is returned, so
 * that the order of the input has no effect.
 */
export function knownEvents(versions: readonly PortfolioEvent[], { asOf }: { asOf: string }): KnownEvents {
  const end = addDays(asOf, 1); // Compared as text, every instant of the day or earlier sorts before this date.
  const isPlain = ({ knownAt, withdrawn, tradedOn }: PortfolioEvent) =>
    knownAt < end && !withdrawn && tradedOn <= asOf;
  const places = new EventPlaces(versions.length);
  let first = 0;
  while (first < versions.length) {
    const version = versions[first]!;
    if (!isPlain(version) || places.placeOf(version, versions, first) < first) break;
    first += 1;
  }
  // Most lists have one version of each event. They are not copied, because a list can be very long.
  if (first === versions.length) return { events: versions, conflicts: [] };
  const latest = versions.slice(0, first);
  const unclear = new Map<number, EventConflict>();
  for (let next = first; next < versions.length; next += 1) {
    const version = versions[next]!;
    if (version.knownAt >= end) continue;
    const at = places.placeOf(version, latest, latest.length);
    if (at === latest.length) {
      latest.push(version);
      continue;
    }
    const before = latest[at]!;
    if (version.knownAt > before.knownAt) {
      latest[at] = version;
      unclear.delete(at);
    } else if (version.knownAt === before.knownAt) {
      const [one, other] = [contentOf(before), contentOf(version)];
      if (one !== other) unclear.set(at, conflictOf(version));
      if (other < one) latest[at] = version;
    }
  }
  return {
    events: latest.filter(isPlain),
    conflicts: [...unclear.values()].toSorted((a, b) =>
      a.portfolio === b.portfolio
        ? compareText(a.reference, b.reference)
        : compareText(a.portfolio, b.portfolio),
    ),
  };
}

/**
 * Returns the splits with an ex date up to a day that were known at the end of this day (UTC), ordered by ex
 * date and symbol.
 */
export function knownSplits(versions: readonly SplitAction[], { asOf }: { asOf: string }): SplitAction[] {
  const end = addDays(asOf, 1);
  const latest = new Map<string, SplitAction>();
  for (const version of versions) {
    if (version.knownAt >= end || version.exOn > asOf) continue;
    const key = `${version.exOn} ${version.symbol}`;
    const before = latest.get(key);
    const isLater =
      before === undefined ||
      version.knownAt > before.knownAt ||
      (version.knownAt === before.knownAt && version.ratio < before.ratio);
    if (isLater) latest.set(key, version);
  }
  return [...latest]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([, split]) => split)
    .filter(({ withdrawn }) => !withdrawn);
}

/**
 * Returns the content of a version as text. Two versions have the same content if and only if these texts are
 * equal.
 */
export function contentOf(event: PortfolioEvent): string {
  if (event.withdrawn) return 'withdrawn';
  const { type, tradedOn, settledOn, symbol, quantity, price, amountMinor, currency, feesMinor } = event;
  const { lot, acquiredOn, basisMinor } = event;
  return JSON.stringify(
    [
      type,
      tradedOn,
      settledOn,
      symbol,
      quantity,
      price,
      amountMinor,
      currency,
      feesMinor,
      lot,
      acquiredOn,
      basisMinor,
    ],
    (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
  );
}

function conflictOf({ portfolio, reference, tradedOn }: PortfolioEvent): EventConflict {
  return { code: 'event_conflict', portfolio, reference, on: tradedOn };
}
