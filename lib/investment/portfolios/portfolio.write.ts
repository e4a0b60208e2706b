import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import type { PortfolioRow } from './portfolio-row.ts';

/** A term of a portfolio that an import changes. */
export type TermChange = { portfolio: string; term: string; from: string | null; to: string | null };

export type PortfolioCounts = { inserted: number; corrected: number; unchanged: number };

/**
 * Records new portfolios, and changes the terms of known portfolios. Each change is a version. The default tax entity
 * is the workspace, and the default wash group is the tax entity. The base currency and the opening day of a known
 * portfolio never change. Terms without a stated moment are known from the end of the opening day; changed terms are
 * known from now on. Returns the numbers of new, changed and unchanged portfolios, and the keys of the new ones.
 */
export async function writePortfolios(
  em: Em,
  { workspace, environment }: Tenant,
  rows: readonly PortfolioRow[],
  now: Date,
): Promise<PortfolioCounts & { created: string[] }> {
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
    known_at: row.knownAt,
  }));
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows: written } = await sql<{ key: string; inserted: boolean }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(terms)}::jsonb) r (uid text, key text, name text,
        base_currency text, account_kind text, lot_relief text, tax_regime text, tax_entity text, wash_group text,
        benchmark text, opened_on date, known_at timestamptz)
    ), written as (
    insert into portfolio as p (uid, workspace_uid, environment, key, name, base_currency, account_kind, lot_relief,
      tax_regime, tax_entity, wash_group, benchmark, opened_on, created_at, changed_at)
    select uid, ${workspace}, ${environment}, key, name, base_currency, account_kind, lot_relief, tax_regime,
      tax_entity, wash_group, benchmark, opened_on, ${at}, ${at}
    from given
    on conflict (workspace_uid, environment, key) do update
      set (name, account_kind, lot_relief, tax_regime, tax_entity, wash_group, benchmark, changed_at) =
        (excluded.name, excluded.account_kind, excluded.lot_relief, excluded.tax_regime, excluded.tax_entity, excluded.wash_group,
          excluded.benchmark, excluded.changed_at)
      where (p.name, p.account_kind, p.lot_relief, p.tax_regime, p.tax_entity, p.wash_group, p.benchmark) is distinct from
        (excluded.name, excluded.account_kind, excluded.lot_relief, excluded.tax_regime, excluded.tax_entity, excluded.wash_group,
          excluded.benchmark)
    returning p.*, created_at = changed_at as inserted
    ), versions as (
      insert into portfolio_terms (portfolio_uid, workspace_uid, environment, name, account_kind, lot_relief, tax_regime,
        tax_entity, wash_group, benchmark, known_at, known_at_basis, recorded_at)
      select w.uid, w.workspace_uid, w.environment, w.name, w.account_kind, w.lot_relief, w.tax_regime, w.tax_entity,
        w.wash_group, w.benchmark,
        case when g.known_at is not null then g.known_at
          when w.inserted then least(${at}, (w.opened_on + 1)::timestamp at time zone 'utc' - interval '1 microsecond')
          else greatest(${at}, k.known_at + interval '1 microsecond') end,
        case when g.known_at is not null then 'stated' when w.inserted then 'assumed' else 'imported' end,
        ${at}
      from written w join given g on g.key = w.key
      left join lateral (
        select max(t.known_at) as known_at from portfolio_terms t where t.portfolio_uid = w.uid
      ) k on true
    )
    select key, inserted from written
  `.execute(em.getKysely());
  const created = written.filter((row) => row.inserted).map(({ key }) => key);
  const [inserted, changed] = [created.length, written.length - created.length];
  return { inserted, corrected: changed, unchanged: rows.length - written.length, created };
}

/** The facts of a finished import of portfolio data. */
export type ImportFacts = PortfolioCounts & {
  kind: 'portfolios' | 'events' | 'positions' | 'cash';
  fileName: string;
  contentHash: string;
  read: number;
  rejected: number;
  person: string;
  now: Date;
};

/** Records an import under a uid. */
export async function recordImport(em: Em, uid: string, tenant: Tenant, facts: ImportFacts): Promise<void> {
  await sql`
    insert into portfolio_import (uid, workspace_uid, environment, kind, file_name, content_hash, rows_read,
      rows_inserted, rows_corrected, rows_unchanged, rows_rejected, imported_by_uid, imported_at)
    values (${uid}, ${tenant.workspace}, ${tenant.environment}, ${facts.kind}, ${facts.fileName},
      ${facts.contentHash}, ${facts.read}, ${facts.inserted}, ${facts.corrected}, ${facts.unchanged},
      ${facts.rejected}, ${facts.person}, ${facts.now.toISOString()})
  `.execute(em.getKysely());
}
