import type { Em } from '#lib/database/base.ts';
import { eventText } from './event-text.query.ts';
import { portfolioTerms, type PortfolioGroup } from './portfolio-group.ts';
import { Portfolio } from './portfolio.entity.ts';
import type { SealedGroup } from './sealed-group.query.ts';
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

/** Reads the group of a sealed input: its terms, and the events that the run may read. */
export async function readSealedGroup(
  em: Em,
  { portfolios, events_until: until, as_of: asOf }: Omit<SealedGroup, 'portfolio'> & { as_of: string },
  revisions: Readonly<Record<string, number>>,
): Promise<PortfolioGroup & { symbols: string[] }> {
  const keys = portfolios.map(({ portfolio }) => portfolio);
  const found = await em.find(Portfolio, { key: keys });
  const { text, symbols } =
    until === null
      ? { text: '', symbols: [] }
      : await eventText(em, { portfolios: found.map(({ uid }) => uid), asOf, recordedUntil: until });
  return {
    portfolios: portfolios.map((terms) => ({
      portfolio: terms.portfolio,
      baseCurrency: terms.base_currency,
      accountKind: terms.account_kind,
      lotRelief: terms.lot_relief,
      taxRegime: terms.tax_regime,
      taxEntity: terms.tax_entity,
      washGroup: terms.wash_group,
    })),
    events: text,
    splits: await splitsOf(em, { symbols, asOf, revisions }),
    asOf,
    symbols,
  };
}
