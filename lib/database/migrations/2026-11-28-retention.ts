import { Migration } from '@mikro-orm/migrations';
import { workspacePolicy } from './tenant-policy.ts';

/**
 * Partitions are made ahead of time, and dropped when every dataset that has rows in them wants them no longer. Both
 * are the owner's alone; workers may ask for them, and say neither what is dropped nor when.
 */
export class Retention extends Migration {
  override up(): void {
    this.addSql(`
      -- A dataset without a row here, or without a number of years, keeps everything.
      create table dataset_retention (
        dataset_id integer primary key references dataset,
        workspace_uid text not null references workspace,
        keep_years integer check (keep_years between 1 and 200),
        set_by_uid text not null references person,
        set_at timestamptz not null
      );
    `);
    this.addSql(workspacePolicy('dataset_retention'));
    const visible =
      'workspace_uid = (select app_workspace()) or (select app_is_operator() or app_is_owner())';
    const readable =
      '(select app_is_operator() or app_is_owner()) or id in (select e.dataset_id from dataset_entitlement e)';
    this.addSql(
      `alter policy visible on dataset_retention using (${visible}) with check (${visible});
      alter policy visible on dataset using (${readable}) with check (${readable});

      create function refuse_who_keeps_no_house() returns void language plpgsql as $$
      begin
        if session_user <> current_database() || '_worker' then
          raise insufficient_privilege using message = 'partitions are the upkeep of workers';
        end if;
        perform pg_advisory_xact_lock(hashtextextended('partitions', 0));
      end $$;

      -- It waits for no reader or writer for long: another turn comes.
      create function add_partitions(years_ahead integer) returns setof text language plpgsql security definer
        set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '2s' as $$
      declare
        of_table text;
        next_year integer;
      begin
        perform refuse_who_keeps_no_house();
        if years_ahead is null or years_ahead not between 1 and 50 then
          raise invalid_parameter_value using message = 'partitions are made 1 to 50 years ahead';
        end if;
        for of_table in select t.name from partitioned_tables() t order by 1 loop
          select extract(year from max(r.end_day)) into strict next_year from partition_ranges(of_table) r;
          while next_year < extract(year from current_date) + years_ahead loop
            return next add_partition(of_table, next_year);
            next_year := next_year + 5;
          end loop;
        end loop;
      end $$;

      -- By the index: one look for each dataset.
      create function datasets_in_partition(name text) returns setof integer language plpgsql
        set search_path = public, pg_temp as $$
      declare
        id integer;
      begin
        execute format('select min(dataset_id) from partitions.%I', name) into id;
        while id is not null loop
          return next id;
          execute format('select min(dataset_id) from partitions.%I where dataset_id > $1', name) into id using id;
        end loop;
      end $$;

      -- What nothing is known of is wanted, and a partition in which no dataset is seen stays.
      create function is_unwanted(partition text, end_day date) returns boolean language sql
        set search_path = public, pg_temp set timezone = 'UTC' as $$
          select coalesce(bool_and(coalesce(end_day <= current_date - make_interval(years => r.keep_years), false)), false)
          from datasets_in_partition(partition) held (id) left join dataset_retention r on r.dataset_id = held.id
        $$;

      -- What the datasets say of themselves, without what is about to go.
      create function forget_dropped(partition text, of_first_day date, of_end_day date) returns void language plpgsql
        set search_path = public, pg_temp as $$
      declare
        held integer;
        gone bigint;
      begin
        for held in select datasets_in_partition(partition) loop
          execute format('select count(*) from partitions.%I where dataset_id = $1', partition) into gone using held;
          update dataset set rows_held = rows_held - gone,
            first_observed_on = case when first_observed_on >= of_first_day then greatest(first_observed_on, of_end_day)
              else first_observed_on end
          where id = held;
        end loop;
      end $$;

      create function drop_unwanted_partitions()
      returns table (partition text, first_day date, end_day date, dataset_id integer, workspace_uid text)
      language plpgsql security definer
        set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '2s' as $$
      declare
        old record;
      begin
        perform refuse_who_keeps_no_house();
        for old in
          select * from partition_ranges('price') r
          where r.end_day <= current_date - make_interval(years => (select min(d.keep_years) from dataset_retention d))
          order by r.first_day
        loop
          continue when not is_unwanted(old.name, old.end_day);
          lock table price in access exclusive mode;
          continue when not is_unwanted(old.name, old.end_day);
          perform forget_dropped(old.name, old.first_day, old.end_day);
          return query
            select old.name, old.first_day, old.end_day, r.dataset_id, r.workspace_uid
            from datasets_in_partition(old.name) held (id) join dataset_retention r on r.dataset_id = held.id
            order by r.dataset_id;
          execute format('drop table partitions.%I', old.name);
        end loop;
      end $$;
    `,
    );
  }
}
