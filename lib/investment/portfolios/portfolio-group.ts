import { regimes, type Regime } from '../tax/regime.ts';
import { parseEventText } from './event-text.ts';
import { deriveLots, type Lots } from './lots.ts';
import { derivePools, type Pools } from './pools.ts';
import type { PortfolioEvent, SplitAction } from './portfolio-event.ts';
import type { GroupTerms } from './portfolio-terms.ts';

/** Portfolios whose lots depend on one another, with their events as the text of `parseEventText`. */
export type PortfolioGroup = {
  portfolios: GroupTerms[];
  events: string;
  splits: SplitAction[];
  asOf: string;
  /** Whether wash sales cross currencies, as in runs that were sealed before closes had a currency. */
  washesAcrossCurrencies?: true;
};

/** A group whose events are parsed. */
export type ParsedGroup = Omit<PortfolioGroup, 'events'> & { events: PortfolioEvent[] };

/** Parses the events of a group. */
export function parseGroup(group: PortfolioGroup): ParsedGroup {
  return { ...group, events: parseEventText(group.events) };
}

/** Derives the lots of the portfolios of a group whose regime has lots. */
export function lotsOfGroup(group: ParsedGroup): Lots {
  return deriveLots({
    ...membersOf(group, ({ taxRegime }) => regimes[taxRegime].pooling === 'lots'),
    wash: { acrossCurrencies: group.washesAcrossCurrencies ?? false },
  });
}

/**
 * Derives the pools of those portfolios of a group that have the given tax regime. Throws a `RangeError` if the regime has
 * lots instead of pools.
 */
export function poolsOfGroup(group: ParsedGroup, regime: Regime): Pools {
  return derivePools({ ...membersOf(group, ({ taxRegime }) => taxRegime === regime.key), regime });
}

/** Returns some portfolios of a group with their events. */
function membersOf(
  { portfolios, events, splits, asOf }: ParsedGroup,
  isMember: (terms: GroupTerms) => boolean,
) {
  const members = portfolios.filter(isMember);
  const keys = new Set(members.map(({ portfolio }) => portfolio));
  return {
    portfolios: members,
    events: events.filter(({ portfolio }) => keys.has(portfolio)),
    splits,
    asOf,
  };
}
