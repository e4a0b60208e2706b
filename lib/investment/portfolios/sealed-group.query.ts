import { sql } from 'kysely';
import type { Static } from 'typebox';
import { Problem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { countEvents, EVENTS_READ_MAX } from './event-text.query.ts';
import { lockPortfoliosShared } from './portfolio-lock.query.ts';
import type { PortfolioTermsSchema } from './portfolio-terms.schema.ts';
import type { Portfolio } from './portfolio.entity.ts';
import { findPortfolio, relatedPortfolios } from './portfolio.query.ts';

/** The refusals of a request about a portfolio. */
export const portfolioRefusals = ['not_found', 'too_large'] as const;

/** The largest number of portfolios of one tax entity and wash group that a run reads. */
const RELATED_MAX = 200;

export type SealedTerms = Static<typeof PortfolioTermsSchema>;

/** A portfolio in the sealed input of a run, with the terms of its group and the last event that the run may read. */
export type SealedGroup = { portfolio: string; portfolios: SealedTerms[]; events_until: string | null };

/**
 * Returns the sealed members of a portfolio, by its uid or key. Waits for imports that are in progress, so that no
 * earlier event is recorded afterwards. Throws a problem if the portfolio does not exist, or if its group is too large.
 */
export async function sealGroup(em: Em, name: string): Promise<SealedGroup> {
  const portfolio = await findPortfolio(em, name);
  if (!portfolio) throw new Problem('not_found', 'This portfolio does not exist.');
  await lockPortfoliosShared(em, { workspace: portfolio.workspaceUid, environment: portfolio.environment });
  const related = await relatedPortfolios(em, portfolio);
  if (related.length > RELATED_MAX)
    throw new Problem(
      'too_large',
      `The tax entity and the wash group have more than ${RELATED_MAX} portfolios.`,
    );
  const uids = related.map(({ uid }) => uid);
  if ((await countEvents(em, uids, EVENTS_READ_MAX)) > EVENTS_READ_MAX)
    throw new Problem('too_large', `The portfolios have more than ${EVENTS_READ_MAX} events.`);
  const { rows } = await sql<{ until: string | null }>`
    select to_char(max(recorded_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as until
    from portfolio_event where portfolio_uid = any(${uids}::text[])
  `.execute(em.getKysely());
  return { portfolio: portfolio.key, portfolios: related.map(termsOf), events_until: rows[0]!.until };
}

function termsOf(portfolio: Portfolio): SealedTerms {
  return {
    portfolio: portfolio.key,
    base_currency: portfolio.baseCurrency,
    account_kind: portfolio.accountKind,
    lot_relief: portfolio.lotRelief,
    tax_regime: portfolio.taxRegime,
    tax_entity: portfolio.taxEntity,
    wash_group: portfolio.washGroup,
  };
}
