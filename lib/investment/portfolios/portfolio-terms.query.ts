import { sql } from 'kysely';
import { instant } from '#lib/data/as-of.query.ts';
import type { RowFault } from '#lib/data/import/load/import-refused.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { Portfolio } from './portfolio.entity.ts';
import type { TermChange } from './portfolio.write.ts';
import type { PortfolioRow } from './portfolio-row.ts';

/**
 * Compares rows with the recorded portfolios. Returns the terms that the rows change. Also returns faults:
 * the currency and the opening day of a portfolio never change, and changed terms must become known after the
 * recorded terms.
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
  const changed = new Set(changes.map(({ portfolio }) => portfolio));
  const changing = rows.filter(({ key }) => changed.has(key));
  const late = await notLater(em, { workspace, environment }, changing);
  return { faults: [...faults, ...late], changes };
}

/** Returns a fault for each row that changes terms, but states a moment at which the recorded terms were known already. */
async function notLater(
  em: Em,
  { workspace, environment }: Tenant,
  rows: readonly PortfolioRow[],
): Promise<RowFault[]> {
  const stated = rows.filter(({ knownAt }) => knownAt !== null);
  if (stated.length === 0) return [];
  const { rows: found } = await sql<{ line: number; known: string }>`
    select r.line, ${instant(sql`max(t.known_at)`)} as known
    from jsonb_to_recordset(${JSON.stringify(stated)}::jsonb) r (line integer, key text, "knownAt" timestamptz)
    join portfolio p on p.workspace_uid = ${workspace} and p.environment = ${environment} and p.key = r.key
    join portfolio_terms t on t.portfolio_uid = p.uid
    group by r.line, r."knownAt" having max(t.known_at) >= r."knownAt" order by r.line
  `.execute(em.getKysely());
  return found.map(({ line, known }) => ({
    line,
    column: 'known_at',
    value: stated.find((row) => row.line === line)!.knownAt,
    reason: `must be after ${known}, when the recorded terms became known`,
  }));
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
