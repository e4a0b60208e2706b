import type { Em } from '#lib/database/base.ts';
import { lastCloses } from './close.query.ts';
import { controlTotals } from './control-total.query.ts';
import type { HoldingsInput } from './holdings.ts';
import type { PortfolioGroup } from './portfolio-group.ts';
import { readGroup } from './portfolio-group.query.ts';
import { requireGroup, type KnownPortfolio } from './portfolio.query.ts';
import { unbookedOrders } from './settled-order.query.ts';

/** A portfolio and the input of a computation about it. */
export type ReadPortfolio<Input> = { portfolio: KnownPortfolio; input: Input };

/** A portfolio, and all data from which the lots of its group are derived. */
export type GroupOf = { portfolio: KnownPortfolio; group: PortfolioGroup; symbols: string[] };

/**
 * Reads a portfolio by its uid or key, and the terms and the events of its group, as known by the end of a day (UTC).
 * Makes the input of a computation from these data. Throws the problems of `requireGroup`.
 */
export async function readPortfolio<Input>(
  em: Em,
  name: string,
  asOf: string,
  inputOf: (read: GroupOf) => Promise<Input>,
): Promise<ReadPortfolio<Input>> {
  const { portfolio, related } = await requireGroup(em, name, asOf);
  const { symbols, ...group } = await readGroup(em, related, asOf);
  return { portfolio, input: await inputOf({ portfolio, group, symbols }) };
}

/** Reads all data from which the holdings of a portfolio at the end of a day are derived. */
export function holdingsInput(em: Em, name: string, asOf: string): Promise<ReadPortfolio<HoldingsInput>> {
  return readPortfolio(em, name, asOf, async ({ portfolio, group, symbols }) => ({
    portfolio: portfolio.key,
    group,
    closes: await lastCloses(em, { symbols, asOf, priceCurrency: 'instrument' }),
    totals: await controlTotals(em, portfolio.uid, asOf),
    unbooked: await unbookedOrders(em, portfolio.key, asOf),
  }));
}
