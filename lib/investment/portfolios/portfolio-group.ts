import { regimes, type Regime } from '../tax/regime.ts';
import { parseEventText } from './event-text.ts';
import { deriveLots, type Lots } from './lots.ts';
import { derivePools, type Pools } from './pools.ts';
import type { PortfolioTerms, SplitAction } from './portfolio-event.ts';

/** The terms of a portfolio in a group, with the key of its tax regime. */
export type GroupTerms = PortfolioTerms & { taxRegime: Regime['key'] };

/** Portfolios whose lots depend on one another, with their events as the text of `parseEventText`. */
export type PortfolioGroup = {
  portfolios: GroupTerms[];
  events: string;
  splits: SplitAction[];
  asOf: string;
};

/** Derives the lots of the portfolios of a group whose regime has lots. */
export function lotsOfGroup(group: PortfolioGroup): Lots {
  return deriveLots(membersOf(group, ({ taxRegime }) => regimes[taxRegime].pooling === 'lots'));
}

/** Derives the pools of the portfolios of a group under one regime with pools. */
export function poolsOfGroup(group: PortfolioGroup, regime: Regime): Pools {
  return derivePools({ ...membersOf(group, ({ taxRegime }) => taxRegime === regime.key), regime });
}

/** Returns some portfolios of a group with their events. */
function membersOf(
  { portfolios, events, splits, asOf }: PortfolioGroup,
  isMember: (terms: GroupTerms) => boolean,
) {
  const members = portfolios.filter(isMember);
  const keys = new Set(members.map(({ portfolio }) => portfolio));
  return {
    portfolios: members,
    events: parseEventText(events).filter(({ portfolio }) => keys.has(portfolio)),
    splits,
    asOf,
  };
}

/** Returns the terms of a recorded portfolio that its lots depend on. */
export function portfolioTerms({
  key,
  baseCurrency,
  accountKind,
  lotRelief,
  taxRegime,
  taxEntity,
  washGroup,
}: Omit<GroupTerms, 'portfolio'> & { key: string }): GroupTerms {
  return { portfolio: key, baseCurrency, accountKind, lotRelief, taxRegime, taxEntity, washGroup };
}
