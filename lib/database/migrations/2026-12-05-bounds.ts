import { Migration } from '@mikro-orm/migrations';

/** What lists show of runs, beside the input so that a list need not read it; and what queued runs take up. */
export class Bounds extends Migration {
  override up(): void {
    this.addSql(`
      create function run_summary(input jsonb) returns jsonb immutable parallel safe language sql
        set search_path = public, pg_temp as $$
          select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(input)
          where jsonb_typeof(value) not in ('object', 'array') and octet_length(value::text) <= 512
        $$;
      alter table run add column summary jsonb;
      -- The release before this one writes no summaries.
      create function summarise_run() returns trigger language plpgsql
        set search_path = public, pg_temp as $$
          begin
            new.summary := run_summary(new.input);
            return new;
          end $$;
      create trigger summarised before insert on run for each row when (new.summary is null)
        execute function summarise_run();

      alter table dispatch add column input_bytes integer not null default 0;
      create index dispatch_load on dispatch (workspace_uid, environment) include (input_bytes);
    `);
  }
}
