import { compareText } from '#lib/core/compare-text.ts';
import { addDays } from '#lib/core/date.ts';
import { EventPlaces } from './event-places.ts';
import type { PortfolioEvent, SplitAction } from './portfolio-event.ts';

/** Two versions of one event that are known since the same instant and differ. */
export type EventConflict = {
  code: 'event_conflict';
  portfolio: string;
  reference: string;
  on: string;
};

export type KnownEvents = { events: PortfolioEvent[]; conflicts: EventConflict[] };

/**
 * Returns the version of each event that was known by the end of a day (UTC), without withdrawn events and without
 * events that were traded after that day. The version known last counts. Of two versions known since the same
 * instant with other content neither is preferred: they are a conflict, and the one with the smaller content in
 * code units is returned, so that the order of the input has no effect.
 */
export function knownEvents(versions: readonly PortfolioEvent[], { asOf }: { asOf: string }): KnownEvents {
  const end = addDays(asOf, 1); // an instant before it begins with `asOf` or an earlier date
  const latest: PortfolioEvent[] = [];
  const places = new EventPlaces(latest, versions.length);
  const unclear = new Map<number, EventConflict>();
  let isLatestOnly = true;
  for (const version of versions) {
    if (version.knownAt >= end) continue;
    if (version.withdrawn || version.tradedOn > asOf) isLatestOnly = false;
    const at = places.placeOf(version);
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
    events: isLatestOnly ? latest : latest.filter((each) => !each.withdrawn && each.tradedOn <= asOf),
    conflicts: [...unclear.values()].toSorted((a, b) =>
      a.portfolio === b.portfolio
        ? compareText(a.reference, b.reference)
        : compareText(a.portfolio, b.portfolio),
    ),
  };
}

/** The splits that were known by the end of a day (UTC) and whose ex date is not after it, by ex date and symbol. */
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

/** The content of a version as text: two versions are the same if these texts are. */
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
