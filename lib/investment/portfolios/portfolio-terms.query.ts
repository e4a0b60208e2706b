import type { RowFault } from '#lib/data/import/load/import-refused.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { Portfolio } from './portfolio.entity.ts';
import type { TermChange } from './portfolio.write.ts';
import type { PortfolioRow } from './portfolio-row.ts';

/**
 * Compares rows with the recorded portfolios. Returns the faults, because currency and opening day never change, and the
 * terms that the rows change.
 */
export async function comparedTerms(
  em: Em,
  { workspace, environment }: Tenant,
  rows: readonly PortfolioRow[],
): Promise<{ faults: RowFault[]; changes: TermChange[] }> {
  const known = await em.find(
    Portfolio,
    { workspaceUid: workspace, environment, key: rows.map(({ key }) => key) },
    { filters: false },
  );
  const byKey = new Map(known.map((portfolio) => [portfolio.key, portfolio]));
  const changes = rows.flatMap((row) => changesOf(row, byKey.get(row.key), workspace));
  const faults = rows.flatMap(({ line, key, baseCurrency, openedOn }) => {
    const recorded = byKey.get(key);
    if (!recorded) return [];
    const fault = (column: string, value: string, was: string): RowFault[] =>
      value === was ? [] : [{ line, column, value, reason: `cannot change; the recorded value is ${was}` }];
    return [
      ...fault('base_currency', baseCurrency, recorded.baseCurrency),
      ...fault('opened_on', openedOn, recorded.openedOn),
    ];
  });
  return { faults, changes };
}

function changesOf(row: PortfolioRow, recorded: Portfolio | undefined, workspace: string): TermChange[] {
  if (!recorded) return [];
  const taxEntity = row.taxEntity ?? workspace;
  const terms: [string, string | null, string | null][] = [
    ['name', recorded.name, row.name],
    ['account_kind', recorded.accountKind, row.accountKind],
    ['lot_relief', recorded.lotRelief, row.lotRelief],
    ['tax_regime', recorded.taxRegime, row.taxRegime],
    ['tax_entity', recorded.taxEntity, taxEntity],
    ['wash_group', recorded.washGroup, row.washGroup ?? taxEntity],
    ['benchmark', recorded.benchmark ?? null, row.benchmark],
  ];
  return terms
    .filter(([, from, to]) => from !== to)
    .map(([term, from, to]) => ({ portfolio: row.key, term, from, to }));
}
