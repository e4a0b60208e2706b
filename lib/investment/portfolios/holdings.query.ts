import type { Em } from '#lib/database/base.ts';
import { lastCloses } from './close.query.ts';
import { controlTotals } from './control-total.query.ts';
import { countEvents, EVENTS_READ_MAX } from './event-text.query.ts';
import type { HoldingsInput } from './holdings.ts';
import type { PortfolioGroup } from './portfolio-group.ts';
import { readGroup } from './portfolio-group.query.ts';
import type { Portfolio } from './portfolio.entity.ts';
import { findPortfolio, relatedPortfolios } from './portfolio.query.ts';

export type ReadPortfolio<Input> =
  | { state: 'unknown' }
  | { state: 'too_large'; detail: string }
  | { state: 'read'; portfolio: Portfolio; input: Input };

/** A portfolio, and all that the lots of its group are derived from. */
export type GroupOf = { portfolio: Portfolio; group: PortfolioGroup; symbols: string[] };

/**
 * Reads a portfolio by its uid or key, with the events of its group as known by the end of a day (UTC), and makes the
 * input of a computation from them.
 */
export async function readPortfolio<Input>(
  em: Em,
  name: string,
  asOf: string,
  inputOf: (read: GroupOf) => Promise<Input>,
): Promise<ReadPortfolio<Input>> {
  const portfolio = await findPortfolio(em, name);
  if (!portfolio) return { state: 'unknown' };
  const related = await relatedPortfolios(em, portfolio);
  const uids = related.map(({ uid }) => uid);
  if ((await countEvents(em, uids, EVENTS_READ_MAX)) > EVENTS_READ_MAX) {
    const detail = `The portfolio and those of its wash group have more than ${EVENTS_READ_MAX} events.`;
    return { state: 'too_large', detail };
  }
  const { symbols, ...group } = await readGroup(em, related, asOf);
  return { state: 'read', portfolio, input: await inputOf({ portfolio, group, symbols }) };
}

/** Reads all that the holdings of a portfolio at the end of a day are derived from. */
export function holdingsInput(em: Em, name: string, asOf: string): Promise<ReadPortfolio<HoldingsInput>> {
  return readPortfolio(em, name, asOf, async ({ portfolio, group, symbols }) => ({
    portfolio: portfolio.key,
    group,
    closes: await lastCloses(em, { symbols, asOf }),
    totals: await controlTotals(em, portfolio.uid, asOf),
  }));
}
