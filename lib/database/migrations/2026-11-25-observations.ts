import { Migration } from '@mikro-orm/migrations';
import { tenantPolicy } from './tenant-policy.ts';

/** Observations can be withdrawn, datasets say more of themselves, and features have values. */
export class Observations extends Migration {
  override up(): void {
    this.addSql(`
      alter table price alter column close drop not null,
        add column withdrawn boolean not null default false,
        add constraint price_withdrawn check (withdrawn = (close is null)) not valid;
      alter table instrument_version add column withdrawn boolean not null default false;
      alter table dataset drop constraint dataset_kind_check,
        add constraint dataset_kind_check check (kind in ('instruments', 'prices', 'taxonomy', 'corporate_actions',
          'fundamentals', 'economics', 'metrics', 'numeric')) not valid,
        add column description text,
        add column licence text,
        add column source text;
    `);

    this.addSql(`
      create table feature (
        uid text primary key,
        workspace_uid text not null references workspace,
        key text not null,
        entity_type text not null check (entity_type in ('instrument', 'company', 'workspace')),
        description text not null,
        owner_uid text not null references person,
        status text not null check (status in ('active', 'retired')),
        created_at timestamptz not null,
        unique (workspace_uid, key)
      );
      create table feature_version (
        id integer generated always as identity primary key,
        uid text not null unique,
        feature_uid text not null references feature,
        workspace_uid text not null references workspace,
        version integer not null,
        unit text not null,
        frequency text not null check (frequency in ('daily', 'weekly', 'monthly', 'quarterly', 'yearly')),
        dataset_id integer not null references dataset,
        expression text not null,
        max_age_days integer not null check (max_age_days > 0),
        created_by_uid text not null references person,
        created_at timestamptz not null,
        unique (feature_uid, version)
      );
      -- No reference to the version: no role may delete one, and checking it row by row costs as much as the writing.
      create table feature_value (
        feature_version_id integer not null,
        entity text not null collate "C",
        event_time timestamptz not null,
        known_at timestamptz not null,
        revision integer not null,
        withdrawn boolean not null default false,
        value double precision,
        primary key (feature_version_id, entity, event_time, known_at) include (value, withdrawn, revision),
        check (withdrawn = (value is null))
      );
    `);
    const ofWorkspace = `workspace_uid = (select app_workspace()) or (select app_is_operator())`;
    for (const table of ['feature', 'feature_version']) this.addSql(tenantPolicy(table, ofWorkspace));
    this.addSql(
      tenantPolicy(
        'feature_value',
        '(select app_is_operator()) or feature_version_id in (select v.id from feature_version v)',
      ),
    );
  }
}
