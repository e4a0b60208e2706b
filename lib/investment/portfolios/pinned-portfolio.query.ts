import { Problem } from '#lib/core/problem.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { eventHash, eventText, heldSymbols, lastRecorded } from './event-text.query.ts';
import type { PinnedPortfolio } from './pinned-portfolio.schema.ts';
import type { PortfolioGroup } from './portfolio-group.ts';
import { sealedTerms, unsealedTerms } from './portfolio-terms.ts';
import { GROUP_MAX } from './portfolio-terms.schema.ts';
import { requireGroup, type KnownPortfolio } from './portfolio.query.ts';
import { splitsOf } from './split.query.ts';

/**
 * Returns the members of the input of a run that pin a portfolio, by its uid or key. Throws the problems of
 * `requireGroup`, and `too_large` if its group has too many portfolios.
 */
export async function pinPortfolio(
  em: Em,
  name: string,
  asOf: string,
): Promise<{ portfolio: KnownPortfolio; pinned: PinnedPortfolio }> {
  const { portfolio, related } = await requireGroup(em, name, asOf);
  if (related.length > GROUP_MAX) {
    const detail = `The taxpayer and the wash group of the portfolio have more than ${GROUP_MAX} portfolios.`;
    throw new Problem('too_large', detail);
  }
  const portfolios = related.map(({ uid }) => uid);
  const recordedUntil = await lastRecorded(em, portfolios);
  return {
    portfolio,
    pinned: {
      portfolio_uid: portfolio.uid,
      portfolio: portfolio.key,
      group: related.map((each) => ({ uid: each.uid, ...sealedTerms(each) })),
      recorded_until: recordedUntil,
      price_currency: 'instrument',
      events_sha256: await eventHash(em, { portfolios, asOf, recordedUntil }),
    },
  };
}

/**
 * The events of a pinned portfolio, the symbols that it may hold or has held since a day, and all symbols that its
 * group has traded.
 */
export type ReadPinned = { group: PortfolioGroup; symbols: string[]; traded: string[] };

/**
 * Reads the events of a pinned portfolio again. With `since`, the symbols include those that were held or traded since
 * that day. Throws if the events are not those of the run.
 */
export async function readPinned(
  em: Em,
  {
    portfolio_uid: uid,
    group,
    recorded_until: recordedUntil,
    events_sha256: hash,
    price_currency,
  }: PinnedPortfolio,
  {
    asOf,
    revisions,
    since,
  }: { asOf: string; revisions: Readonly<Record<string, number>>; since?: string | undefined },
): Promise<ReadPinned> {
  const question = { portfolios: group.map((each) => each.uid), asOf, recordedUntil };
  const { text: events, symbols: traded } = await eventText(em, question);
  if (sha256(events) !== hash) throw new Error('the events of the portfolio differ from those of the run');
  const splits = await splitsOf(em, { symbols: traded, asOf, revisions });
  const symbols = await heldSymbols(em, {
    ...question,
    portfolios: [uid],
    since,
    splits: splits.map(({ symbol }) => symbol),
  });
  const read: PortfolioGroup = {
    portfolios: group.map(unsealedTerms),
    events,
    splits,
    asOf,
    ...(price_currency === undefined && { washesAcrossCurrencies: true }),
  };
  return { group: read, symbols, traded };
}
