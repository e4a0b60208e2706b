import type { Em } from '#lib/database/base.ts';
import { eventText } from './event-text.query.ts';
import { portfolioTerms, type PortfolioGroup } from './portfolio-group.ts';
import type { Portfolio } from './portfolio.entity.ts';
import { splitsOf } from './split.query.ts';

/** Reads all that lots of related portfolios are derived from, as known by the end of a day (UTC). */
export async function readGroup(
  em: Em,
  portfolios: readonly Portfolio[],
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
