import type { Em, Tenant } from '#lib/database/base.ts';
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

/** Finds a portfolio by its uid or its key. Null if there is none. */
export function findPortfolio(em: Em, name: string): Promise<Portfolio | null> {
  return em.findOne(Portfolio, { $or: [{ uid: name }, { key: name }] });
}

/** Returns the portfolios whose lots depend on one another: those of its wash group and of its tax entity. */
export function relatedPortfolios(
  em: Em,
  { washGroup, taxEntity }: Pick<Portfolio, 'washGroup' | 'taxEntity'>,
): Promise<Portfolio[]> {
  return em.find(Portfolio, { $or: [{ washGroup }, { taxEntity }] }, { orderBy: { key: 'asc' } });
}

/** Returns all portfolios of a tenant by key. */
export async function keyedPortfolios(
  em: Em,
  { workspace, environment }: Tenant,
): Promise<Map<string, Portfolio>> {
  const found = await em.find(Portfolio, { workspaceUid: workspace, environment }, { filters: false });
  return new Map(found.map((portfolio) => [portfolio.key, portfolio]));
}
