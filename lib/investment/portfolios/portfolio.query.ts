import { sql, type RawBuilder } from 'kysely';
import { Problem } from '#lib/core/problem.ts';
import { instant, wasKnown } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import { countEvents, EVENTS_READ_MAX } from './event-text.query.ts';
import { Portfolio } from './portfolio.entity.ts';

export type PortfolioFilters = { key?: string | undefined; currency?: string | undefined };
export type PortfolioPage = PortfolioFilters & { after: string | undefined; limit: number };

/** Lists the portfolios of the tenant, newest first. */
export function listPortfolios(em: Em, { after, limit, key, currency }: PortfolioPage): Promise<Portfolio[]> {
  return em.find(
    Portfolio,
    {
      ...(after === undefined ? {} : { uid: { $lt: after } }),
      ...(key === undefined ? {} : { key }),
      ...(currency === undefined ? {} : { baseCurrency: currency }),
    },
    { orderBy: { uid: 'desc' }, limit },
  );
}

/** A portfolio with the terms that were known at the end of a day. */
export type KnownPortfolio = Omit<Portfolio, 'workspaceUid' | 'environment' | 'changedAt'> & {
  /** When these terms became known, as an ISO instant. */
  termsKnownAt: string;
};

/**
 * Finds a portfolio by its uid or its key, with the terms known by the end of a day (UTC). Returns undefined if
 * the portfolio does not exist.
 */
export async function findPortfolio(em: Em, name: string, asOf: string): Promise<KnownPortfolio | undefined> {
  const [found] = await portfoliosAsOf(em, asOf, sql`p.uid = ${name} or p.key = ${name}`);
  return found;
}

/**
 * Returns the portfolios whose lots depend on one another, by the terms known by the end of a day (UTC): the portfolios
 * in this wash group or with this tax entity.
 */
export function relatedPortfolios(
  em: Em,
  { washGroup, taxEntity }: Pick<KnownPortfolio, 'washGroup' | 'taxEntity'>,
  asOf: string,
): Promise<KnownPortfolio[]> {
  return portfoliosAsOf(em, asOf, sql`t.wash_group = ${washGroup} or t.tax_entity = ${taxEntity}`);
}

/**
 * Returns portfolios of the tenant, ordered by key, with the terms known by the end of a day (UTC). If no version of a
 * portfolio was known by then, its first version applies. `condition` refers to the portfolio as `p` and to its terms
 * as `t`.
 */
export async function portfoliosAsOf(
  em: Em,
  asOf: string,
  condition: RawBuilder<unknown>,
): Promise<KnownPortfolio[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Omit<KnownPortfolio, 'createdAt'> & { createdAt: string }>`
    select p.uid, p.key, t.name, p.base_currency as "baseCurrency", t.account_kind as "accountKind",
      t.lot_relief as "lotRelief", t.tax_regime as "taxRegime", t.tax_entity as "taxEntity",
      t.wash_group as "washGroup", t.benchmark, p.opened_on::text as "openedOn",
      ${instant(sql`p.created_at`)} as "createdAt", ${instant(sql`t.known_at`)} as "termsKnownAt"
    from portfolio p
    cross join lateral (
      select v.* from portfolio_terms v where v.portfolio_uid = p.uid
      order by case when ${wasKnown('v', asOf)} then v.known_at end desc nulls last, v.known_at limit 1
    ) t
    where p.workspace_uid = ${workspace} and p.environment = ${environment} and (${condition})
    order by p.key
  `.execute(em.getKysely());
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}

/** The refusals of `requireGroup`. */
export const groupRefusals = ['not_found', 'too_large'] as const;

/**
 * A portfolio, and all portfolios whose lots depend on its lots, ordered by key. The list includes the portfolio
 * itself.
 */
export type RelatedGroup = { portfolio: KnownPortfolio; related: KnownPortfolio[] };

/**
 * Finds a portfolio by its uid or key, and its related portfolios, under the terms known by the end of a day (UTC).
 * Throws a problem if the portfolio does not exist, or if all these portfolios together have more events than one read
 * may process.
 */
export async function requireGroup(em: Em, name: string, asOf: string): Promise<RelatedGroup> {
  const portfolio = await findPortfolio(em, name, asOf);
  if (!portfolio) throw new Problem('not_found', 'There is no such portfolio.');
  const related = await relatedPortfolios(em, portfolio, asOf);
  await requireEvents(em, related, 'The portfolio and those of its taxpayer and wash group');
  return { portfolio, related };
}

/**
 * Throws a problem if portfolios have more events than one read may process. `those` is the text that names these
 * portfolios in the problem.
 */
export async function requireEvents(
  em: Em,
  portfolios: readonly { uid: string }[],
  those = 'The portfolios',
): Promise<void> {
  const uids = portfolios.map(({ uid }) => uid);
  if ((await countEvents(em, uids, EVENTS_READ_MAX)) > EVENTS_READ_MAX)
    throw new Problem('too_large', `${those} have more than ${EVENTS_READ_MAX} events together.`);
}

/** Returns all portfolios of a tenant by key. */
export async function keyedPortfolios(
  em: Em,
  { workspace, environment }: Tenant,
): Promise<Map<string, Portfolio>> {
  const found = await em.find(Portfolio, { workspaceUid: workspace, environment }, { filters: false });
  return new Map(found.map((portfolio) => [portfolio.key, portfolio]));
}
