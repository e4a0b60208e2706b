import { Migration } from '@mikro-orm/migrations';
import { tenantPolicy } from './tenant-policy.ts';

/** Instruments keep their identity under another symbol, companies act and report, and datasets know what they hold. */
export class MarketData extends Migration {
  override up(): void {
    this.addSql(`
      alter table instrument drop constraint instrument_uid_key, add column follows text collate "C";
      create index instrument_uid on instrument (uid);
      alter table instrument_version
        add column exchange text,
        add column currency text,
        add column status text,
        add column previous_symbol text collate "C";
    `);

    this.addSql(`
      create table corporate_action (
        dataset_id integer not null,
        symbol text not null collate "C",
        type text not null collate "C",
        observed_on date not null,
        known_at timestamptz not null,
        known_at_basis text not null check (known_at_basis in ('stated', 'assumed', 'imported')),
        revision integer not null,
        withdrawn boolean not null default false,
        amount numeric check (amount > 0),
        ratio numeric check (ratio > 0),
        basis text,
        primary key (dataset_id, symbol, observed_on, type, known_at, revision),
        check (withdrawn = (amount is null and ratio is null))
      );
      create table fundamental (
        dataset_id integer not null,
        symbol text not null collate "C",
        metric text not null collate "C",
        observed_on date not null,
        known_at timestamptz not null,
        known_at_basis text not null check (known_at_basis in ('stated', 'assumed', 'imported')),
        revision integer not null,
        withdrawn boolean not null default false,
        value numeric,
        primary key (dataset_id, symbol, observed_on, metric, known_at, revision),
        check (withdrawn = (value is null))
      );
    `);
    const entitled = `(select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e)`;
    for (const table of ['corporate_action', 'fundamental']) this.addSql(tenantPolicy(table, entitled));

    this.addSql(`
      alter table dataset
        add column rows_held bigint not null default 0,
        add column first_observed_on date,
        add column content_hash text,
        add column price_basis text check (price_basis in ('quoted', 'split_adjusted'));
    `);
    this.fillDatasets();
  }

  /** What the importer keeps from now on, of what was imported before. Row-level security binds the owner too. */
  private fillDatasets(): void {
    const read = ['dataset', 'dataset_import', 'price', 'instrument_version'];
    for (const table of read)
      this.addSql(`create policy filling on ${table} to current_user using (true) with check (true);`);
    this.addSql(`
      update dataset d set rows_held = i.held from (
        select dataset_id, sum(rows_inserted + rows_corrected) as held from dataset_import group by dataset_id
      ) i where i.dataset_id = d.id;
      update dataset d set first_observed_on = o.first from (
        select dataset_id, min(observed_on) as first from price group by dataset_id
        union all
        select dataset_id, min(observed_on) from instrument_version group by dataset_id
      ) o where o.dataset_id = d.id;
      with recursive chain as (
        select dataset_id, revision, encode(sha256(convert_to(fingerprint, 'UTF8')), 'hex') as hash
        from dataset_import where revision = 1
        union all
        select i.dataset_id, i.revision, encode(sha256(convert_to(c.hash || i.fingerprint, 'UTF8')), 'hex')
        from chain c join dataset_import i on i.dataset_id = c.dataset_id and i.revision = c.revision + 1
      )
      update dataset d set content_hash = c.hash from chain c
      where c.dataset_id = d.id and c.revision = d.revision;
    `);
    for (const table of read) this.addSql(`drop policy filling on ${table};`);
  }
}
