import { Migration } from '@mikro-orm/migrations';
import { tenantPolicy } from './tenant-policy.ts';

/**
 * What is told of a moment of knowledge can be told anew: a late observation that counts as known in the past changes
 * what a feature was then, in a row of a later revision. And how far the values of a version are computed is known.
 */
export class FeatureStore extends Migration {
  override up(): void {
    this.addSql(`
      alter table feature_value drop constraint feature_value_pkey,
        add primary key (feature_version_id, entity, event_time, known_at, revision) include (value, withdrawn);

      -- A version is materialised by the clock once a plan of it is here.
      create table feature_materialisation (
        uid text collate "C" primary key,
        feature_version_id integer not null references feature_version,
        workspace_uid text not null references workspace,
        mode text not null check (mode in ('incremental', 'full')),
        state text not null check (state in ('planned', 'running', 'succeeded', 'failed')),
        dataset_revision integer not null,
        told_until timestamptz not null,
        entities_total integer not null default 0,
        entities_done integer not null default 0,
        rows_written bigint not null default 0,
        problem text,
        started_at timestamptz not null,
        beat_at timestamptz not null,
        finished_at timestamptz,
        values_held bigint,
        entities_held integer,
        first_event timestamptz,
        last_event timestamptz,
        check ((state in ('planned', 'running')) = (finished_at is null)),
        check ((state = 'failed') = (problem is not null))
      );
      create unique index on feature_materialisation (feature_version_id) where state = 'running';
      create index on feature_materialisation (feature_version_id, uid desc);
    `);
    const visible =
      'workspace_uid = (select app_workspace()) or (select app_is_operator() or app_is_worker())';
    this.addSql(tenantPolicy('feature_materialisation', visible));
  }
}
