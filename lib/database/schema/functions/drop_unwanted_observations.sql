-- Deletes whole calendar years that their dataset has let go, which happens once a year. These tables have no
-- partitions. Workers may call it; they choose neither what is deleted nor when.
create function drop_unwanted_observations()
  returns table (kind text, dataset_id integer, workspace_uid text, before date, rows bigint)
  language plpgsql security definer
  set search_path = public, pg_temp
  set timezone = 'UTC'
  set lock_timeout = '2s'
as $$
      declare
        old record;
      begin
        perform begin_partition_upkeep();
        for old in
          select d.id, d.kind, r.workspace_uid, wanted.since
          from dataset d
          join dataset_retention r on r.dataset_id = d.id,
          lateral (select date_trunc('year', current_date - make_interval(years => r.keep_years))::date) wanted (since)
          where table_of_observations(d.kind) is not null and d.first_observed_on < wanted.since
          order by d.id
          for update of d
        loop
          execute format('delete from %I o where o.dataset_id = $1 and o.observed_on < $2', table_of_observations(old.kind))
            using old.id, old.since;
          get diagnostics rows = row_count;
          update dataset set rows_held = rows_held - rows,
            first_observed_on = case when last_observed_on >= old.since then old.since end,
            last_observed_on = case when last_observed_on >= old.since then last_observed_on end
          where id = old.id;
          kind := old.kind;
          dataset_id := old.id;
          workspace_uid := old.workspace_uid;
          before := old.since;
          continue when rows = 0;
          return next;
        end loop;
      end $$;
