import type { RowFault } from '#lib/data/import/load/import-refused.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { Portfolio } from './portfolio.entity.ts';
import type { PortfolioRow } from './portfolio-row.ts';

/** Returns the faults of rows that contradict recorded portfolios: currency and opening day never change. */
export async function termsFaults(
  em: Em,
  { workspace, environment }: Tenant,
  rows: readonly PortfolioRow[],
): Promise<RowFault[]> {
  const known = await em.find(
    Portfolio,
    { workspaceUid: workspace, environment, key: rows.map(({ key }) => key) },
    { filters: false },
  );
  const byKey = new Map(known.map((portfolio) => [portfolio.key, portfolio]));
  return rows.flatMap(({ line, key, baseCurrency, openedOn }) => {
    const recorded = byKey.get(key);
    if (!recorded) return [];
    const fault = (column: string, value: string, was: string): RowFault[] =>
      value === was ? [] : [{ line, column, value, reason: `cannot change; the recorded value is ${was}` }];
    return [
      ...fault('base_currency', baseCurrency, recorded.baseCurrency),
      ...fault('opened_on', openedOn, recorded.openedOn),
    ];
  });
}
