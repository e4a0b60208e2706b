import type { Em } from '#lib/database/base.ts';
import { eventText } from './event-text.query.ts';
import type { PortfolioGroup } from './portfolio-group.ts';
import { portfolioTerms } from './portfolio-terms.ts';
import type { KnownPortfolio } from './portfolio.query.ts';
import { splitsOf } from './split.query.ts';

/**
 * Reads all data from which the lots of related portfolios are derived, as known at the end of a day (UTC).
 */
export async function readGroup(
  em: Em,
  portfolios: readonly KnownPortfolio[],
  asOf: string,
): Promise<PortfolioGroup & { symbols: string[] }> {
  const { text, symbols } = await eventText(em, { portfolios: portfolios.map(({ uid }) => uid), asOf });
  return {
    portfolios: portfolios.map(portfolioTerms),
    events: text,
    splits: await splitsOf(em, { symbols, asOf }),
    asOf,
    symbols,
  };
}
