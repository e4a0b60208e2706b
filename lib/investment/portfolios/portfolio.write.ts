import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import type { PortfolioRow } from './portfolio-row.ts';

/** A term of a portfolio that an import changes. */
export type TermChange = { portfolio: string; term: string; from: string | null; to: string | null };

export type PortfolioCounts = { inserted: number; corrected: number; unchanged: number };

/**
 * Records portfolios and changes the terms of known ones. The default tax entity is the workspace, the default wash
 * group the tax entity. The base currency and the opening day of a known portfolio stay as they were recorded.
 */
export async function writePortfolios(
  em: Em,
  { workspace, environment }: Tenant,
  rows: readonly PortfolioRow[],
  now: Date,
): Promise<PortfolioCounts> {
  const terms = rows.map((row) => ({
    uid: newUid(prefixes.portfolio),
    key: row.key,
    name: row.name,
    base_currency: row.baseCurrency,
    account_kind: row.accountKind,
    lot_relief: row.lotRelief,
    tax_regime: row.taxRegime,
    tax_entity: row.taxEntity ?? workspace,
    wash_group: row.washGroup ?? row.taxEntity ?? workspace,
    benchmark: row.benchmark,
    opened_on: row.openedOn,
  }));
  const { rows: written } = await sql<{ inserted: boolean }>`
    insert into portfolio as p (uid, workspace_uid, environment, key, name, base_currency, account_kind, lot_relief,
      tax_regime, tax_entity, wash_group, benchmark, opened_on, created_at, changed_at)
    select uid, ${workspace}, ${environment}, key, name, base_currency, account_kind, lot_relief, tax_regime,
      tax_entity, wash_group, benchmark, opened_on, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(terms)}::jsonb) r (uid text, key text, name text, base_currency text,
      account_kind text, lot_relief text, tax_regime text, tax_entity text, wash_group text, benchmark text, opened_on date)
    on conflict (workspace_uid, environment, key) do update
      set (name, account_kind, lot_relief, tax_regime, tax_entity, wash_group, benchmark, changed_at) =
        (excluded.name, excluded.account_kind, excluded.lot_relief, excluded.tax_regime, excluded.tax_entity, excluded.wash_group,
          excluded.benchmark, excluded.changed_at)
      where (p.name, p.account_kind, p.lot_relief, p.tax_regime, p.tax_entity, p.wash_group, p.benchmark) is distinct from
        (excluded.name, excluded.account_kind, excluded.lot_relief, excluded.tax_regime, excluded.tax_entity, excluded.wash_group,
          excluded.benchmark)
    returning created_at = changed_at as inserted
  `.execute(em.getKysely());
  const inserted = written.filter((row) => row.inserted).length;
  return { inserted, corrected: written.length - inserted, unchanged: rows.length - written.length };
}

/** The facts of a finished import of portfolio data. */
export type ImportFacts = PortfolioCounts & {
  kind: 'portfolios' | 'events' | 'positions' | 'cash';
  fileName: string;
  contentHash: string;
  read: number;
  person: string;
  now: Date;
};

/** Records an import under a uid. */
export async function recordImport(em: Em, uid: string, tenant: Tenant, facts: ImportFacts): Promise<void> {
  await sql`
    insert into portfolio_import (uid, workspace_uid, environment, kind, file_name, content_hash, rows_read,
      rows_inserted, rows_corrected, rows_unchanged, imported_by_uid, imported_at)
    values (${uid}, ${tenant.workspace}, ${tenant.environment}, ${facts.kind}, ${facts.fileName},
      ${facts.contentHash}, ${facts.read}, ${facts.inserted}, ${facts.corrected}, ${facts.unchanged},
      ${facts.person}, ${facts.now.toISOString()})
  `.execute(em.getKysely());
}
