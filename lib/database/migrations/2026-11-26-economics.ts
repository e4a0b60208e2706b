import { Migration } from '@mikro-orm/migrations';
import { tenantPolicy } from './tenant-policy.ts';

/** Economic series: what is said of each, revision by revision, and their observations with every vintage. */
export class Economics extends Migration {
  override up(): void {
    this.addSql(`
      create table economic_series (
        dataset_id integer not null references dataset,
        key text not null collate "C",
        revision integer not null,
        title text,
        frequency text check (frequency in ('daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'semiannual', 'yearly')),
        unit text,
        seasonal_adjustment text,
        source text,
        licence text,
        recorded_at timestamptz not null,
        primary key (key, dataset_id, revision)
      );
      -- No reference to the series: no role may delete one, and checking it row by row costs as much as the writing.
      create table economic_observation (
        dataset_id integer not null,
        series text not null collate "C",
        observed_on date not null,
        known_at timestamptz not null,
        known_at_basis text not null check (known_at_basis in ('stated', 'assumed', 'imported')),
        revision integer not null,
        withdrawn boolean not null default false,
        value numeric,
        primary key (dataset_id, series, observed_on, known_at, revision),
        check (withdrawn = (value is null))
      );
    `);
    const entitled = `(select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e)`;
    for (const table of ['economic_series', 'economic_observation'])
      this.addSql(tenantPolicy(table, entitled));
  }
}
