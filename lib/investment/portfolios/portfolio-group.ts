import { parseEventText } from './event-text.ts';
import { deriveLots, type Lots } from './lots.ts';
import type { PortfolioTerms, SplitAction } from './portfolio-event.ts';

/** Portfolios whose lots depend on one another, with their events as the text of `parseEventText`. */
export type PortfolioGroup = {
  portfolios: PortfolioTerms[];
  events: string;
  splits: SplitAction[];
  asOf: string;
};

/** Derives the lots of a group of portfolios. */
export function lotsOfGroup({ portfolios, events, splits, asOf }: PortfolioGroup): Lots {
  return deriveLots({ portfolios, events: parseEventText(events), splits, asOf });
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
