import { parseEventText } from './event-text.ts';
import { deriveLots, type Lots } from './lots.ts';
import type { PortfolioEvent, PortfolioTerms, SplitAction } from './portfolio-event.ts';

/** Portfolios whose lots depend on one another, with their events as the text of `parseEventText`. */
export type PortfolioGroup = {
  portfolios: PortfolioTerms[];
  events: string;
  splits: SplitAction[];
  asOf: string;
};

/** Derives the lots of a group of portfolios, from its events or from some of them. */
export function lotsOfGroup(
  { portfolios, events, splits, asOf }: PortfolioGroup,
  some: readonly PortfolioEvent[] = parseEventText(events),
): Lots {
  return deriveLots({ portfolios, events: some, splits, asOf });
}

/** Returns the terms of a recorded portfolio that its lots depend on. */
export function portfolioTerms({
  key,
  baseCurrency,
  accountKind,
  lotRelief,
  taxEntity,
  washGroup,
}: Omit<PortfolioTerms, 'portfolio'> & { key: string }): PortfolioTerms {
  return { portfolio: key, baseCurrency, accountKind, lotRelief, taxEntity, washGroup };
}
