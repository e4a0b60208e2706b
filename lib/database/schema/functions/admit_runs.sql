-- Admits runs of one workspace to a queue, as many as its service class lets run at once, in fair order. It runs
-- with the owner's rights, since the order of turns depends on the runs of all workspaces.
create function admit_runs(of_queue text, of_workspace text, limits jsonb)
  returns table (run_uid text, workspace_uid text, environment text, kind text, tag integer)
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
      declare
        room integer;
        last_tag integer;
        virtual_time integer;
      begin
        if of_workspace is distinct from app_workspace() and session_user <> current_database() || '_worker' then
          raise insufficient_privilege using message = 'another workspace''s runs cannot be admitted';
        end if;
        perform pg_advisory_xact_lock(hashtextextended('admission ' || of_queue || ' ' || of_workspace, 0));
        if not exists (select from dispatch d where d.queue = of_queue and d.workspace_uid = of_workspace and d.tag is null) then
          return;
        end if;
        select (limits ->> w.service_class)::integer into strict room from workspace w where w.uid = of_workspace;
        select room - count(*), coalesce(max(d.tag), 0) into room, last_tag
          from dispatch d where d.queue = of_queue and d.workspace_uid = of_workspace and d.tag is not null;
        if room <= 0 then
          return;
        end if;
        select greatest(
            coalesce(max(d.tag) filter (where d.started_at is not null), 0),
            coalesce(min(d.tag) filter (where d.started_at is null) - 1, 0)
          ) into virtual_time
          from dispatch d where d.queue = of_queue and d.tag is not null;
        return query
          update dispatch d set tag = greatest(virtual_time, last_tag) + next.place, admitted_at = now()
          from (
            select n.run_uid, row_number() over (order by n.background, n.run_uid)::integer as place
            from dispatch n where n.queue = of_queue and n.workspace_uid = of_workspace and n.tag is null
            order by n.background, n.run_uid limit room
          ) next
          where d.run_uid = next.run_uid
          returning d.run_uid, d.workspace_uid, d.environment, d.kind, d.tag;
      end $$;
revoke execute on function admit_runs from public;
