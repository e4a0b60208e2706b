import { Problem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import {
  countEvents,
  eventHash,
  eventText,
  EVENTS_READ_MAX,
  heldSymbols,
  lastRecorded,
} from './event-text.query.ts';
import type { PortfolioGroup } from './portfolio-group.ts';
import { findPortfolio, relatedPortfolios } from './portfolio.query.ts';
import type { Portfolio } from './portfolio.entity.ts';
import { GROUP_MAX, type PinnedPortfolio } from './pinned-portfolio.schema.ts';
import { splitsOf } from './split.query.ts';

/** The refusals of `pinPortfolio`. */
export const pinRefusals = ['not_found', 'too_large'] as const;

/**
 * Returns the members of the input of a run that pin a portfolio, by its uid or key. Throws a problem if it does not
 * exist, or if its group is too large.
 */
export async function pinPortfolio(
  em: Em,
  name: string,
  asOf: string,
): Promise<{ portfolio: Portfolio; pinned: PinnedPortfolio }> {
  const portfolio = await findPortfolio(em, name);
  if (!portfolio) throw new Problem('not_found', 'There is no such portfolio.');
  const related = await relatedPortfolios(em, portfolio);
  const portfolios = related.map(({ uid }) => uid);
  const events = await countEvents(em, portfolios, EVENTS_READ_MAX);
  if (related.length > GROUP_MAX || events > EVENTS_READ_MAX) {
    const detail =
      `The portfolio and those of its taxpayer and wash group may be at most ${GROUP_MAX} with at most ` +
      `${EVENTS_READ_MAX} events together.`;
    throw new Problem('too_large', detail);
  }
  const recordedUntil = await lastRecorded(em, portfolios);
  return {
    portfolio,
    pinned: {
      portfolio_uid: portfolio.uid,
      portfolio: portfolio.key,
      group: related.map((each) => ({
        uid: each.uid,
        portfolio: each.key,
        base_currency: each.baseCurrency,
        account_kind: each.accountKind,
        lot_relief: each.lotRelief,
        tax_regime: each.taxRegime,
        tax_entity: each.taxEntity,
        wash_group: each.washGroup,
      })),
      recorded_until: recordedUntil,
      events_sha256: await eventHash(em, { portfolios, asOf, recordedUntil }),
    },
  };
}

/**
 * Reads the events of a pinned portfolio again, and the symbols that it may hold. Throws if the events are not those of
 * the run.
 */
export async function readPinned(
  em: Em,
  { portfolio_uid: uid, group, recorded_until: recordedUntil, events_sha256: hash }: PinnedPortfolio,
  { asOf, revisions }: { asOf: string; revisions: Readonly<Record<string, number>> },
): Promise<{ group: PortfolioGroup; symbols: string[] }> {
  const question = { portfolios: group.map((each) => each.uid), asOf, recordedUntil };
  if ((await eventHash(em, question)) !== hash)
    throw new Error('the events of the portfolio differ from those of the run');
  const { text, symbols } = await eventText(em, question);
  const splits = await splitsOf(em, { symbols, asOf, revisions });
  const held = await heldSymbols(em, {
    ...question,
    portfolios: [uid],
    splits: splits.map(({ symbol }) => symbol),
  });
  const portfolios = group.map((each) => ({
    portfolio: each.portfolio,
    baseCurrency: each.base_currency,
    accountKind: each.account_kind,
    lotRelief: each.lot_relief,
    taxRegime: each.tax_regime,
    taxEntity: each.tax_entity,
    washGroup: each.wash_group,
  }));
  return { group: { portfolios, events: text, splits, asOf }, symbols: held };
}
