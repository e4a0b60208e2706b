import { parseEventText } from '../portfolios/event-text.ts';
import type { PortfolioEvent } from '../portfolios/portfolio-event.ts';
import type { PortfolioGroup } from '../portfolios/portfolio-group.ts';
import { positionsOf } from '../portfolios/positions.ts';
import { type PathQuestion, type RealisedPath, realisedPath } from './realised-path.ts';
import type { RiskOptions } from './risk-request.schema.ts';

export type PathData = {
  asOf: string;
  options: RiskOptions;
  /** Symbols with closes. */
  history: readonly { symbol: string }[];
  /** The first day on which the positions and cash of a portfolio are read. */
  since: string;
};

type At = Pick<PathQuestion, 'dates' | 'closesOf'>;

export type PathReader = {
  /** Symbols with closes that a portfolio held or traded since the first day. */
  heldBy(group: PortfolioGroup, key: string): ReadonlySet<string>;
  pathOf(group: PortfolioGroup, key: string, at: At): RealisedPath;
};

/**
 * Returns a function that reads the past positions and cash of portfolios. It parses the events of a group
 * only once, when they are first needed.
 */
export function pathReader({ asOf, options, history, since }: PathData): PathReader {
  const parsed = new Map<PortfolioGroup, Map<string, PortfolioEvent[]>>();
  const eventsOf = (group: PortfolioGroup, key: string) => {
    let byKey = parsed.get(group);
    if (!byKey) parsed.set(group, (byKey = Map.groupBy(parseEventText(group.events), keyOf)));
    return byKey.get(key) ?? [];
  };
  const known = new Set(history.map(({ symbol }) => symbol));
  return {
    heldBy(group, key) {
      const events = eventsOf(group, key);
      const { positions } = positionsOf({ events, splits: group.splits, asOf });
      const traded = events.filter(({ quantity, tradedOn }) => quantity !== null && tradedOn >= since);
      const symbols = [...positions, ...traded].flatMap(({ symbol }) => symbol ?? []);
      return new Set(symbols.filter((symbol) => known.has(symbol)));
    },
    pathOf: (group, key, at) =>
      realisedPath({
        portfolio: key,
        events: eventsOf(group, key),
        splits: group.splits,
        asOf,
        currency: options.currency,
        isDaily: options.frequency === 'daily',
        ...at,
      }),
  };
}

function keyOf({ portfolio }: PortfolioEvent): string {
  return portfolio;
}
